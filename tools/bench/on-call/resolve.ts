/**
 * Measures how long it takes to find who is on call in 3 rotas with 50 people, and to resolve a plan of 5 steps with them:
 * `npx node tools/bench/on-call/resolve.ts`. The limit is 5 ms.
 */
import { performance } from 'node:perf_hooks';
import { type PlanStep, resolveStep } from '../../../domain/alarm/plan.ts';
import type { RotaLayer, RotaPerson } from '../../../domain/on-call/rota.ts';
import { onCallAt } from '../../../domain/on-call/shifts.ts';

const DAY = 86_400_000;
const ROUNDS = 500;
const START = Date.UTC(2026, 10, 12, 14, 32);

const people: RotaPerson[] = Array.from({ length: 50 }, (_, index) => ({
  ...{ uuid: `person-${index}`, name: `Person ${index}` },
  isActive: index % 17 !== 0,
}));

const layer = (first: number, count: number, more: Partial<RotaLayer>): RotaLayer => ({
  ...{ uuid: `layer-${first}`, name: 'Primary', people: people.slice(first, first + count), turnHours: 168 },
  ...{ firstDay: '2024-01-01', handoverTime: '08:00', timeZone: 'Europe/London', hours: [] },
  overrides: Array.from({ length: 40 }, (_, index) => ({
    ...{ uuid: `override-${first}-${index}`, startsAt: START + (index - 20) * 3 * DAY, reason: 'holiday' },
    endsAt: START + (index - 19) * 3 * DAY,
    ...{ off: people[first + (index % count)] ?? null, cover: people[(first + index + 1) % 50] ?? null },
  })),
  ...more,
});

const nights = [
  { weekdays: [1, 2, 3, 4, 5], from: '18:00', to: '08:00' },
  { weekdays: [6, 7], from: '00:00', to: '00:00' },
];
const layers = [
  layer(0, 9, {}),
  layer(9, 8, { hours: nights }),
  layer(17, 8, { turnHours: 24, timeZone: 'America/New_York' }),
  layer(25, 8, { turnHours: 12 }),
  layer(33, 8, { hours: nights, timeZone: 'Asia/Kolkata' }),
  layer(41, 9, { turnHours: 336 }),
];

const known = new Map(layers.map((one) => [one.uuid, one]));
const steps: PlanStep[] = Array.from({ length: 5 }, (_, index) => ({
  ...{ waitMinutes: 20, repeats: 1, everyMinutes: 10 },
  people: people.slice(index * 10, index * 10 + 10).map(({ uuid }) => uuid),
  layers: [layers[index], layers[(index + 1) % 6]].flatMap((one) => (one ? [{ uuid: one.uuid, name: one.name }] : [])),
}));

function measure(what: string, work: (at: number) => void): void {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = START + round * 7_000_000;
    const before = performance.now();
    work(at);
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  const quantile = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(3);
  console.log(`${what}: median ${quantile(0.5)} ms, 99 % ${quantile(0.99)} ms, first ${times.at(-1)?.toFixed(3)} ms`);
}

measure('3 rotas, 6 layers, 50 people, 240 overrides', (at) => {
  for (const one of layers) onCallAt(one, at);
});
measure('5 steps, each with 2 of the layers and 10 people', (at) => {
  for (const step of steps) resolveStep(step, known, at);
});
