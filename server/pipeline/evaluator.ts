import { advance, type Position, step, type Transition } from '../../domain/rule/step.ts';
import { type Shown, shownBy } from '../alarm/alarm-states.ts';
import { type CarriedOut, carryOut } from '../alarm/apply-changes.ts';
import type { Transaction } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import type { Change } from '../rule/change.ts';
import { loadContexts } from '../rule/context.ts';
import { loadFacts } from '../rule/facts.ts';
import { loadWatches } from '../rule/load-watches.ts';
import { readStates, type StoredState } from '../rule/states.ts';
import { type ConditionsWatch, type JudgedChannel, place, type Watch } from '../rule/watch.ts';

/** Readings newer than all before them of their channel, in the order they are judged in. */
export interface NewReadings {
  channels: JudgedChannel[];
  times: number[];
  values: number[];
}

/**
 * Judges readings against rules. What is not at rest is remembered here and stored with every change; the version of each
 * part says whether what is remembered is current, so that any process may judge any sensor. Within a process one judges at
 * a time, from here until its transaction has ended.
 */
export class Judge {
  readonly #states = new Map<string, StoredState>();
  readonly #byPart = new Map<number, Set<string>>();
  readonly #versions = new Map<number, string>();
  #last: Promise<void> = Promise.resolve();

  /** Waits for its turn. Whoever gets one must end it, whatever happened. */
  async begin(): Promise<Judging> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return new Judging(this, end);
  }

  stateOf(uuid: string): StoredState | undefined {
    return this.#states.get(uuid);
  }

  /**
   * Makes sure that what is remembered of these parts is what the transaction sees, and of those `held` also that nobody
   * changes it until the transaction ends. Answers whether anything had changed.
   */
  async refresh(tx: Transaction, parts: Iterable<number>, held: Iterable<number>): Promise<boolean> {
    const ask = (wanted: Iterable<number>, lock: string) =>
      tx.query<{ part: number; version: string }>(
        `select part, version::text from tocsin_private.judge_part where part = any ($1::smallint[]) order by part ${lock}`,
        [[...wanted]],
      );
    const locked = new Set(held);
    const seen = new Set([...parts].filter((part) => !locked.has(part)));
    const answers = await Promise.all([
      ...(locked.size > 0 ? [ask(locked, 'for update')] : []),
      ...(seen.size > 0 ? [ask(seen, '')] : []),
    ]);
    const stale = answers
      .flatMap(({ rows }) => rows)
      .filter(({ part, version }) => this.#versions.get(part) !== version);
    if (stale.length === 0) return false;
    const numbers = stale.map(({ part }) => part);
    const states = await readStates(tx, 'part = any ($1::smallint[])', [numbers]);
    for (const part of numbers) {
      for (const uuid of this.#byPart.get(part) ?? []) this.#states.delete(uuid);
      this.#byPart.delete(part);
    }
    for (const [uuid, state] of states) this.#keep(uuid, state);
    for (const { part, version } of stale) this.#versions.set(part, version);
    return true;
  }

  /** After the commit. */
  remember({ states, versions }: CarriedOut): void {
    for (const [uuid, state] of states) {
      if (state) {
        this.#keep(uuid, state);
        continue;
      }
      const known = this.#states.get(uuid);
      if (known) this.#byPart.get(known.part)?.delete(uuid);
      this.#states.delete(uuid);
    }
    for (const [part, version] of versions) this.#versions.set(part, version);
  }

  #keep(uuid: string, state: StoredState): void {
    const known = this.#states.get(uuid);
    if (known) this.#byPart.get(known.part)?.delete(uuid);
    this.#states.set(uuid, state);
    const others = this.#byPart.get(state.part);
    if (others) others.add(uuid);
    else this.#byPart.set(state.part, new Set([uuid]));
  }
}

/** One turn of judging, inside one transaction. */
export class Judging {
  readonly #judge: Judge;
  readonly #end: () => void;
  #done: CarriedOut | undefined;

  constructor(judge: Judge, end: () => void) {
    this.#judge = judge;
    this.#end = end;
  }

  /** After the commit: what was changed is true now. */
  confirm(): void {
    if (!this.#done) return;
    dieAt('alarm committed');
    this.#judge.remember(this.#done);
  }

  end(): void {
    this.#end();
  }

  async readings(tx: Transaction, readings: NewReadings, now: number): Promise<void> {
    const parts = new Set<number>();
    const conditions = new Set<ConditionsWatch>();
    for (const { watches } of readings.channels) {
      for (const watch of watches) {
        parts.add(watch.part);
        if (watch.kind === 'conditions') conditions.add(watch);
      }
    }
    if (parts.size === 0) return;
    dieAt('readings stored');
    // Conditions need readings that other processes store, so their parts are held before anything is looked up.
    const held = new Set([...conditions].map(({ part }) => part));
    if (held.size > 0) await this.#judge.refresh(tx, parts, held);
    const facts = await loadFacts(tx, conditions, readings.channels);
    // Judged by what is remembered, while the database is asked whether that is still true; nearly always it is.
    for (;;) {
      const changes = this.#evaluate(readings, new Map(facts), now);
      const changing = new Set(changes.map(({ watch }) => watch.part));
      const [stale, contexts] = await Promise.all([
        this.#judge.refresh(tx, parts, changing),
        loadContextsOf(tx, changes),
      ]);
      if (stale) continue;
      if (changes.length > 0) this.#done = await carryOut(tx, changes, contexts, now, newestOf(readings));
      return;
    }
  }

  /** What falls due by the server's clock, although nothing more arrived. Answers how many rules it looked at. */
  async due(tx: Transaction, now: number, most: number): Promise<number> {
    const due = 'due_at <= to_timestamp($1::float8 / 1000)';
    const { rows } = await tx.query<{ part: number }>(
      `select distinct part from (select part from tocsin_private.rule_state where ${due} order by due_at limit $2) d`,
      [now, most],
    );
    if (rows.length === 0) return 0;
    const parts = rows.map(({ part }) => part);
    await this.#judge.refresh(tx, parts, parts);
    const states = await readStates(tx, `${due} and part = any ($2::smallint[]) order by due_at limit $3`, [
      now,
      parts,
      most,
    ]);
    const { byUuid } = await loadWatches(tx, { watches: [...states.keys()] });
    const changes: Change[] = [];
    const left: string[] = [];
    for (const [uuid, before] of states) {
      const watch = byUuid.get(uuid);
      // A rule that is gone or changed is looked at by whoever was told of that; readings go on from here.
      if (!watch || before.version < watch.judgesSince) {
        left.push(uuid);
        continue;
      }
      const { state, transitions } = advance(before, watch.holdMs, before.since + watch.holdMs);
      const steps = transitions.map((transition) => ({ ...transition, value: before.value }));
      changes.push({ watch, before, after: state && stored(watch, before, state, now, before.value), steps });
    }
    if (left.length > 0) {
      await tx.query('update tocsin_private.rule_state set due_at = null where watch_uuid = any ($1::uuid[])', [left]);
      await tx.query('update tocsin_private.judge_part set version = version + 1 where part = any ($1::smallint[])', [
        parts,
      ]);
    }
    await this.changes(tx, changes, now);
    return states.size;
  }

  /** Rules that are not at rest, held until the transaction ends: by themselves, or by the alarm they keep open. */
  async held(
    tx: Transaction,
    by: 'watch_uuid' | 'alarm_uuid',
    uuids: readonly string[],
  ): Promise<Map<string, StoredState>> {
    const { rows } = await tx.query<{ part: number }>(
      `select distinct part from tocsin_private.rule_state where ${by} = any ($1::uuid[])`,
      [uuids],
    );
    if (rows.length === 0) return new Map();
    const parts = rows.map(({ part }) => part);
    await this.#judge.refresh(tx, parts, parts);
    return readStates(tx, `${by} = any ($1::uuid[])`, [uuids]);
  }

  /** Changes that somebody else decided, such as that of a rule that ended, for rules that are `held`. */
  async changes(tx: Transaction, changes: readonly Change[], now: number): Promise<void> {
    if (changes.length > 0) this.#done = await carryOut(tx, changes, await loadContextsOf(tx, changes), now);
  }

  #evaluate({ channels, times, values }: NewReadings, facts: Map<string, number>, now: number): Change[] {
    const changes = new Map<string, Change>();
    const latestOf = (datapointUuid: string) => facts.get(datapointUuid);
    channels.forEach((channel, index) => {
      const { watches, faces } = channel;
      if (watches.length === 0) return;
      const time = times[index] as number;
      const value = values[index] as number;
      if (watches.some(({ kind }) => kind === 'conditions')) {
        for (const { datapointUuid } of faces) facts.set(datapointUuid, value);
      }
      for (const watch of watches) {
        const change = changes.get(watch.uuid);
        const before = change ? change.after : this.#judge.stateOf(watch.uuid);
        const position: Position =
          watch.kind === 'conditions' ? (watch.rule.holds(latestOf) ? 'alarm' : 'inside') : place(watch, value);
        if (before === undefined && (position === 'inside' || position === 'between')) continue;
        judgeOne(changes, change, { watch, before, position, time, value, order: index, now });
      }
    });
    return [...changes.values()];
  }
}

/** What each datapoint shows after these readings. */
function newestOf({ channels, times, values }: NewReadings): Map<string, Shown> {
  const newest = new Map<string, Shown>();
  channels.forEach((channel, index) => {
    for (const shown of shownBy(channel, values[index] as number, times[index] as number))
      newest.set(shown.uuid, shown);
  });
  return newest;
}

function loadContextsOf(tx: Transaction, changes: readonly Change[]) {
  return loadContexts(
    tx,
    changes.map(({ watch }) => watch),
  );
}

interface One {
  watch: Watch;
  before: StoredState | undefined;
  position: Position;
  time: number;
  value: number;
  order: number;
  now: number;
}

function judgeOne(changes: Map<string, Change>, change: Change | undefined, one: One): void {
  const { watch, before, position, value, order, now } = one;
  // The sensors of conditions have clocks of their own; for their rule time does not run backwards.
  const time = watch.kind === 'conditions' && before ? Math.max(one.time, before.since) : one.time;
  // What was pending by limits that have changed begins anew; what is open goes on, by the limits of now.
  const outdated = before !== undefined && before.version < watch.judgesSince;
  const from = outdated && before.phase === 'pending' ? undefined : before;
  const { state, transitions } = step(from, watch.holdMs, time, position);
  const dropped = outdated && from === undefined;
  if (transitions.length === 0 && !dropped) return;
  const steps = transitions.map((transition) => ({ ...transition, value: valueAt(transition, one), order }));
  const after = state && stored(watch, from, state, now, value);
  const known = change ?? { watch, before, after, steps: [] };
  if (dropped) known.steps.push({ from: 'pending', to: 'normal', at: time, because: 'rule-changed', value, order });
  known.steps.push(...steps);
  known.after = after;
  changes.set(watch.uuid, known);
}

/** What fell due before the reading came is about the value before it. */
function valueAt(transition: Transition, { before, value }: One): number | undefined {
  return transition.because === 'stayed-out' || transition.because === 'stayed-inside' ? before?.value : value;
}

function stored(
  watch: Watch,
  before: StoredState | undefined,
  state: { phase: StoredState['phase']; since: number; openedAt: number },
  now: number,
  value: number | undefined,
): StoredState {
  const { kind, part, version, holdMs } = watch;
  const { phase, since, openedAt } = state;
  const dueAt = phase === 'open' ? undefined : now + holdMs;
  return { kind, part, version, phase, since, openedAt, dueAt, value, alarmUuid: before?.alarmUuid };
}
