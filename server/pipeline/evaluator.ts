import { advance, type Position, step, type Transition } from '../../domain/rule/step.ts';
import { type DisplayedReading, displayedReadings } from '../alarm/alarm-states.ts';
import { type AppliedChanges, applyChanges } from '../alarm/apply-changes.ts';
import type { Transaction } from '../platform/database.ts';
import { dieAt } from '../platform/fault.ts';
import type { RuleChange } from '../rule/change.ts';
import { loadContexts } from '../rule/context.ts';
import { loadFacts } from '../rule/facts.ts';
import { loadWatches } from '../rule/load-watches.ts';
import { readStates, type StoredState } from '../rule/states.ts';
import { type ConditionsWatch, type EvaluatedChannel, place, type Watch } from '../rule/watch.ts';

/** Readings to evaluate, in order. Each is newer than all earlier readings of its channel. */
export interface NewReadings {
  channels: EvaluatedChannel[];
  times: number[];
  values: number[];
}

/**
 * Evaluates readings against rules. Caches the states of rules that are not normal, and stores every change. The
 * version of each shard shows whether the cache is current, so any process can evaluate any sensor. A process runs one
 * evaluation at a time, from its start to the end of its transaction.
 */
export class Evaluator {
  readonly #states = new Map<string, StoredState>();
  readonly #byShard = new Map<number, Set<string>>();
  readonly #versions = new Map<number, string>();
  #last: Promise<void> = Promise.resolve();

  /** Waits until the previous evaluation ends. Always call `end` on the result, even after an error. */
  async begin(): Promise<Evaluation> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return new Evaluation(this, end);
  }

  stateOf(uuid: string): StoredState | undefined {
    return this.#states.get(uuid);
  }

  /**
   * Reloads the cached states of outdated shards in this transaction. Locks the shards in `held` until the transaction
   * ends. Returns whether any shard was outdated.
   */
  async refresh(tx: Transaction, shards: Iterable<number>, held: Iterable<number>): Promise<boolean> {
    const ask = (wanted: Iterable<number>, lock: string) =>
      tx.query<{ shard: number; version: string }>(
        `select shard, version::text from tocsin_private.evaluator_shard where shard = any ($1::smallint[]) order by shard ${lock}`,
        [[...wanted]],
      );
    const locked = new Set(held);
    const seen = new Set([...shards].filter((shard) => !locked.has(shard)));
    const answers = await Promise.all([
      ...(locked.size > 0 ? [ask(locked, 'for update')] : []),
      ...(seen.size > 0 ? [ask(seen, '')] : []),
    ]);
    const stale = answers
      .flatMap(({ rows }) => rows)
      .filter(({ shard, version }) => this.#versions.get(shard) !== version);
    if (stale.length === 0) return false;
    const numbers = stale.map(({ shard }) => shard);
    const states = await readStates(tx, 'shard = any ($1::smallint[])', [numbers]);
    for (const shard of numbers) {
      for (const uuid of this.#byShard.get(shard) ?? []) this.#states.delete(uuid);
      this.#byShard.delete(shard);
    }
    for (const [uuid, state] of states) this.#keep(uuid, state);
    for (const { shard, version } of stale) this.#versions.set(shard, version);
    return true;
  }

  /** Caches the new states. Call it after the commit. */
  remember({ states, versions }: AppliedChanges): void {
    for (const [uuid, state] of states) {
      if (state) {
        this.#keep(uuid, state);
        continue;
      }
      const known = this.#states.get(uuid);
      if (known) this.#byShard.get(known.shard)?.delete(uuid);
      this.#states.delete(uuid);
    }
    for (const [shard, version] of versions) this.#versions.set(shard, version);
  }

  #keep(uuid: string, state: StoredState): void {
    const known = this.#states.get(uuid);
    if (known) this.#byShard.get(known.shard)?.delete(uuid);
    this.#states.set(uuid, state);
    const others = this.#byShard.get(state.shard);
    if (others) others.add(uuid);
    else this.#byShard.set(state.shard, new Set([uuid]));
  }
}

/** One evaluation, inside one transaction. */
export class Evaluation {
  readonly #evaluator: Evaluator;
  readonly #end: () => void;
  #done: AppliedChanges | undefined;

  constructor(evaluator: Evaluator, end: () => void) {
    this.#evaluator = evaluator;
    this.#end = end;
  }

  /** Caches the changed states. Call it after the commit. */
  confirm(): void {
    if (!this.#done) return;
    dieAt('alarm committed');
    this.#evaluator.remember(this.#done);
  }

  end(): void {
    this.#end();
  }

  async readings(tx: Transaction, readings: NewReadings, now: number): Promise<void> {
    const shards = new Set<number>();
    const conditions = new Set<ConditionsWatch>();
    for (const { watches } of readings.channels) {
      for (const watch of watches) {
        shards.add(watch.shard);
        if (watch.kind === 'conditions') conditions.add(watch);
      }
    }
    if (shards.size === 0) return;
    dieAt('readings stored');
    // A multi-condition rule also uses readings that other processes store, so its shard is locked before these
    // readings are loaded.
    const held = new Set([...conditions].map(({ shard }) => shard));
    if (held.size > 0) await this.#evaluator.refresh(tx, shards, held);
    const facts = await loadFacts(tx, conditions, readings.channels);
    // Evaluates with the cached states while the database checks whether these are current. If they are outdated, which
    // is rare, evaluates again.
    for (;;) {
      const changes = this.#evaluate(readings, new Map(facts), now);
      const changing = new Set(changes.map(({ watch }) => watch.shard));
      const [stale, contexts] = await Promise.all([
        this.#evaluator.refresh(tx, shards, changing),
        loadContextsOf(tx, changes),
      ]);
      if (stale) continue;
      if (changes.length > 0) this.#done = await applyChanges(tx, changes, contexts, now, newestOf(readings));
      return;
    }
  }

  /**
   * Evaluates debounces that have ended by server time although no new reading arrived. Returns the number of rules
   * checked.
   */
  async due(tx: Transaction, now: number, most: number): Promise<number> {
    const due = 'due_at <= to_timestamp($1::float8 / 1000)';
    const { rows } = await tx.query<{ shard: number }>(
      `select distinct shard from (select shard from tocsin_private.rule_state where ${due} order by due_at limit $2) d`,
      [now, most],
    );
    if (rows.length === 0) return 0;
    const shards = rows.map(({ shard }) => shard);
    await this.#evaluator.refresh(tx, shards, shards);
    const states = await readStates(tx, `${due} and shard = any ($2::smallint[]) order by due_at limit $3`, [
      now,
      shards,
      most,
    ]);
    const { byUuid } = await loadWatches(tx, { watches: [...states.keys()] });
    const changes: RuleChange[] = [];
    const left: string[] = [];
    for (const [uuid, before] of states) {
      const watch = byUuid.get(uuid);
      // The rule was deleted or changed. The engine handles that (engine/alarm-work.ts); this method only removes the
      // rule's deadline.
      if (!watch || before.version < watch.evaluatesSince) {
        left.push(uuid);
        continue;
      }
      const { state, transitions } = advance(before, watch.holdMs, Number.POSITIVE_INFINITY);
      const steps = transitions.map((transition) => ({ ...transition, value: before.value }));
      changes.push({ watch, before, after: state && stored(watch, before, state, now, before.value), steps });
    }
    if (left.length > 0) {
      await tx.query('update tocsin_private.rule_state set due_at = null where watch_uuid = any ($1::uuid[])', [left]);
      await tx.query(
        'update tocsin_private.evaluator_shard set version = version + 1 where shard = any ($1::smallint[])',
        [shards],
      );
    }
    await this.changes(tx, changes, now);
    return states.size;
  }

  /**
   * Loads and locks the states of rules that are not normal, by rule uuid or by the uuid of the alarm they keep open.
   */
  async held(
    tx: Transaction,
    by: 'watch_uuid' | 'alarm_uuid',
    uuids: readonly string[],
  ): Promise<Map<string, StoredState>> {
    const { rows } = await tx.query<{ shard: number }>(
      `select distinct shard from tocsin_private.rule_state where ${by} = any ($1::uuid[])`,
      [uuids],
    );
    if (rows.length === 0) return new Map();
    const shards = rows.map(({ shard }) => shard);
    await this.#evaluator.refresh(tx, shards, shards);
    return readStates(tx, `${by} = any ($1::uuid[])`, [uuids]);
  }

  /** Applies changes that no reading caused, such as a deleted rule. Lock the rules with `held` first. */
  async changes(tx: Transaction, changes: readonly RuleChange[], now: number): Promise<void> {
    if (changes.length > 0) this.#done = await applyChanges(tx, changes, await loadContextsOf(tx, changes), now);
  }

  #evaluate({ channels, times, values }: NewReadings, facts: Map<string, number>, now: number): RuleChange[] {
    const changes = new Map<string, RuleChange>();
    const latestOf = (datapointUuid: string) => facts.get(datapointUuid);
    channels.forEach((channel, index) => {
      const { watches, datapoints } = channel;
      if (watches.length === 0) return;
      const time = times[index] as number;
      const value = values[index] as number;
      if (watches.some(({ kind }) => kind === 'conditions')) {
        for (const { datapointUuid } of datapoints) facts.set(datapointUuid, value);
      }
      for (const watch of watches) {
        const change = changes.get(watch.uuid);
        const before = change ? change.after : this.#evaluator.stateOf(watch.uuid);
        const position: Position =
          watch.kind === 'conditions' ? (watch.rule.holds(latestOf) ? 'alarm' : 'inside') : place(watch, value);
        if (before === undefined && (position === 'inside' || position === 'between')) continue;
        evaluateOne(changes, change, { watch, before, position, time, value, order: index, now });
      }
    });
    return [...changes.values()];
  }
}

/** Returns the reading that each data point displays after this evaluation. */
function newestOf({ channels, times, values }: NewReadings): Map<string, DisplayedReading> {
  const newest = new Map<string, DisplayedReading>();
  channels.forEach((channel, index) => {
    for (const shown of displayedReadings(channel, values[index] as number, times[index] as number))
      newest.set(shown.uuid, shown);
  });
  return newest;
}

function loadContextsOf(tx: Transaction, changes: readonly RuleChange[]) {
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

function evaluateOne(changes: Map<string, RuleChange>, change: RuleChange | undefined, one: One): void {
  const { watch, before, position, value, order, now } = one;
  // The clocks of the sensors can differ, but the evaluation time of a multi-condition rule must never go backwards.
  const time = watch.kind === 'conditions' && before ? Math.max(one.time, before.since) : one.time;
  // If the limits have changed, a pending rule starts its debounce again, and an open rule continues with the new
  // limits.
  const outdated = before !== undefined && before.version < watch.evaluatesSince;
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

/**
 * Returns the value to record with a transition. If a debounce ended before this reading, this is the previous value,
 * otherwise the value of this reading.
 */
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
  const { kind, shard, version, holdMs } = watch;
  const { phase, since, openedAt } = state;
  const dueAt = phase === 'open' ? undefined : now + holdMs;
  return { kind, shard, version, phase, since, openedAt, dueAt, value, alarmUuid: before?.alarmUuid };
}
