import { describe, expect, test } from 'vitest';
import { activeSince, keyOf } from '../../tools/simulate/chance.ts';
import type { Curves } from '../../tools/simulate/curves.ts';
import { readPlan } from '../../tools/simulate/plan.ts';
import { valueAt as liveValue } from '../../tools/simulate/value.ts';
import { episodesOf, historyStart, planHistory } from './history/history.ts';
import { valueAt } from './history/series.ts';
import { type LiveChannel, planLiveSensors } from './live.ts';
import { planCustomers } from './plant/people.ts';
import { planSite, shareSites } from './plant/plant.ts';
import { shapes } from './plant/shapes.ts';
import { scaleOf } from './scale.ts';

const now = Date.UTC(2026, 10, 12, 14, 32, 14);
const sites = 60;
const facts = {
  seed: 'tocsin',
  sites,
  from: new Date(historyStart(now, 12)).toISOString(),
  now: new Date(now).toISOString(),
};
const curves: Curves = shapes;
const life = planLiveSensors(facts);
const channels = new Map(life.flatMap((sensor) => [...sensor.channels]));

/** Plans the same sites and the same history as the loader. */
const span = { start: Date.parse(facts.from), now, rate: scaleOf(sites).rate };
const plant = planCustomers(facts.seed).flatMap((customer, which) =>
  Array.from({ length: shareSites(sites)[which]! }, (_, index) => {
    const site = planSite(facts.seed, customer, index, span.start, scaleOf(sites).leastHealthHours);
    return { site, history: planHistory(facts.seed, site, span) };
  }),
);

const live = (channel: LiveChannel, uuid: string, time: number) =>
  liveValue({ channel: uuid, ...channel }, time, { key: keyOf(uuid), everySeconds: 20, curves });

describe('the live demo plant', () => {
  test('continues the history: on the same curve, or at the value of an open alarm', () => {
    let usual = 0;
    let open = 0;
    for (const { site, history } of plant.filter((one) => one.history.status !== 3)) {
      for (const point of site.assets.flatMap((asset) => asset.points)) {
        const channel = channels.get(point.channelUuid)!;
        const episode = history.episodes.find((one) => one.point === point && one.to === undefined);
        const value = live({ ...channel, spikes: [] }, point.channelUuid, now);
        if (episode === undefined) {
          expect(value).toBe(valueAt(point, episodesOf(point, history), now, history.lastFrame));
          usual += 1;
          continue;
        }
        const { side, limit } = episode.alarm.kind;
        for (let minute = 0; minute < 600; minute += 1) {
          const later = live(channel, point.channelUuid, now + minute * 60_000);
          expect(side === 'state' ? later === limit : side === 'above' ? later > limit : later < limit).toBe(true);
        }
        open += 1;
      }
    }
    expect(usual).toBeGreaterThan(300);
    expect(open).toBeGreaterThan(5);
  });

  test('keeps silent sites silent and lets all others send', () => {
    const speaking = plant.filter(({ history }) => history.status !== 3).flatMap(({ site }) => site.assets);
    expect(life.map(({ sensorUuid }) => sensorUuid).sort()).toEqual(
      speaking.map(({ sensorUuid }) => sensorUuid).sort(),
    );
    expect(plant.some(({ history }) => history.status === 3)).toBe(true);
  });

  test('a tripped pump does not run, in the history or later', () => {
    let tripped = 0;
    for (const { site, history } of plant.filter((one) => one.history.status !== 3)) {
      for (const { points } of site.assets) {
        const [running, current, trip] = ['Running', 'Motor current', 'Trip'].map((name) =>
          points.find(({ kind }) => kind.name === name),
        );
        if (!running || !current || !trip) continue;
        const inHistory = (point: typeof trip, time: number) =>
          valueAt(point, episodesOf(point, history), time, history.lastFrame);
        for (const { from, to } of history.episodes.filter(({ point }) => point === trip)) {
          for (let time = from; time < (to ?? now); time += 60_000)
            expect([inHistory(trip, time), inHistory(running, time), inHistory(current, time)]).toEqual([1, 0, 0]);
          tripped += 1;
        }
        const alive = ({ channelUuid }: typeof trip, time: number) =>
          live(channels.get(channelUuid)!, channelUuid, time);
        for (let time = now; time < now + 5 * 24 * 3_600_000; time += 600_000) {
          if (alive(trip, time) === 0) continue;
          expect([alive(running, time), alive(current, time)]).toEqual([0, 0]);
          tripped += 1;
        }
      }
    }
    expect(tripped).toBeGreaterThan(20);
  });

  test('causes some alarms, silences and bad frames each day', () => {
    const spikes = [...channels].flatMap(([uuid, { spikes = [] }]) =>
      spikes.map(({ when }) => ({ when, key: keyOf(uuid) })),
    );
    const begun = new Set<string>();
    for (let time = now; time < now + 24 * 3_600_000; time += 60_000) {
      for (const [index, { when, key }] of spikes.entries()) {
        const since = activeSince(when, time, key, 20);
        if (since !== undefined) begun.add(`${index} ${since}`);
      }
    }
    expect(begun.size).toBeGreaterThan(10);
    expect(begun.size).toBeLessThan(150);
    expect(life.filter(({ silence }) => silence).length).toBeGreaterThan(0);
    expect(life.filter(({ badFrames }) => badFrames).length).toBeGreaterThan(0);
  });

  test('is a valid plan for the simulator', () => {
    const sensors = life.map(({ sensorUuid, channels: own, ...sensor }) => ({
      uid: sensorUuid,
      token: 'x',
      protocol: 'http',
      format: 'json',
      everySeconds: 20,
      ...sensor,
      channels: [...own].map(([uuid, channel]) => ({ channel: uuid, ...channel })),
    }));
    expect(readPlan({ server: { http: 'http://localhost:8080' }, sensors }, curves).sensors).toHaveLength(life.length);
  });
});
