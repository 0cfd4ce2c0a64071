import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedStep } from '../rule/recorded-step.ts';
import type { Phase } from '../rule/step.ts';
import { type AlarmChange, type AlarmRef, planChanges } from './plan-changes.ts';

interface TestChange extends AlarmChange {
  name: string;
  site: string | undefined;
}

const step = (from: Phase, to: Phase, at: number): RecordedStep => ({
  from,
  to,
  at,
  because: 'out-again',
  value: undefined,
});

function change(name: string, steps: RecordedStep[], more: Partial<TestChange> = {}): TestChange {
  return { name, site: 'A', steps, before: undefined, after: undefined, ...more };
}

const plan = (...changes: TestChange[]) => planChanges(changes, ({ site }) => site);
const names = (planned: readonly { change: TestChange }[]) => planned.map(({ change: { name } }) => name);

describe('plan of an evaluation', () => {
  test('opens with the time at which the value left the limits', () => {
    const { rounds, alarms } = plan(change('x', [step('normal', 'pending', 5), step('pending', 'open', 9)]));
    expect(rounds.flatMap(({ openings }) => openings)).toMatchObject([{ since: 5, step: { at: 9 } }]);
    expect([...alarms.values()]).toEqual([0]);
  });

  test('takes that time from the stored state when the debounce began in an earlier batch', () => {
    const before = { since: 3, alarmUuid: undefined };
    const { rounds } = plan(change('x', [step('pending', 'open', 9)], { before }));
    expect(rounds[0]?.openings).toMatchObject([{ since: 3 }]);
  });

  test('ends the alarm that the same batch opened', () => {
    const steps = [step('normal', 'open', 1), step('open', 'clearing', 2), step('clearing', 'normal', 3)];
    const { rounds, alarms, transitions } = plan(change('x', steps));
    expect(rounds.map(({ openings, progress, endings }) => [openings.length, progress.length, endings.length])).toEqual(
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    );
    expect(rounds[2]?.endings).toMatchObject([{ alarm: 0 }]);
    expect(transitions.map(({ alarm }) => alarm)).toEqual([0, 0, 0]);
    expect([...alarms.values()]).toEqual([undefined]);
  });

  test('keeps an alarm held while another rule of the batch has it open', () => {
    const before = { since: 0, alarmUuid: 'shared' };
    const { rounds } = plan(
      change('ends', [step('clearing', 'normal', 1)], { before }),
      change('stays', [step('open', 'clearing', 2)], { before }),
    );
    expect(rounds[0]).toMatchObject({ endings: [{ alarm: 'shared' }], held: ['shared'] });
  });

  test('says when a clearing alarm resolves only for the last step of a change', () => {
    const before = { since: 0, alarmUuid: 'a' };
    const steps = [step('open', 'clearing', 1), step('clearing', 'open', 2), step('open', 'clearing', 3)];
    const { rounds } = plan(change('x', steps, { before, after: { dueAt: 60 } }));
    expect(rounds.flatMap(({ progress }) => progress.map(({ until }) => until))).toEqual([undefined, undefined, 60]);
  });

  test('opens nothing for a deleted rule, and ends its alarm', () => {
    const before = { since: 0, alarmUuid: 'a' };
    const { rounds, transitions } = plan(
      change('gone', [step('pending', 'open', 1)], { site: undefined }),
      change('ended', [step('open', 'normal', 1)], { site: undefined, before }),
    );
    expect(rounds.flatMap(({ openings }) => openings)).toEqual([]);
    expect(names(rounds.flatMap(({ endings }) => endings))).toEqual(['ended']);
    expect(names(transitions)).toEqual(['ended']);
  });

  test('records a pending rule that came back without an alarm', () => {
    const { rounds, transitions } = plan(change('x', [step('normal', 'pending', 1), step('pending', 'normal', 2)]));
    expect(rounds.flatMap(({ openings, endings }) => [...openings, ...endings])).toEqual([]);
    expect(transitions.map(({ alarm }) => alarm)).toEqual([undefined, undefined]);
  });
});

describe('plan of generated evaluations', () => {
  const next: Record<Phase, Phase[]> = {
    normal: ['pending', 'open'],
    pending: ['open', 'normal'],
    open: ['clearing', 'normal'],
    clearing: ['open', 'normal'],
  };
  /** Generates a rule in any phase and a valid sequence of transitions. */
  const anyChange = fc
    .record({
      site: fc.constantFrom('A', 'B', undefined),
      start: fc.constantFrom<Phase>('normal', 'pending', 'open', 'clearing'),
      alarm: fc.constantFrom('a1', 'a2'),
      turns: fc.array(fc.record({ pick: fc.nat({ max: 1 }), wait: fc.nat({ max: 3 }) }), { maxLength: 6 }),
    })
    .map(({ site, start, alarm, turns }): TestChange => {
      let phase = start;
      let at = 0;
      const steps = turns.map(({ pick, wait }) => {
        const from = phase;
        phase = next[from][pick] as Phase;
        at += wait;
        return step(from, phase, at);
      });
      const isOpen = start === 'open' || start === 'clearing';
      const before = start === 'normal' ? undefined : { since: -1, alarmUuid: isOpen ? alarm : undefined };
      return { name: start, site, steps, before, after: undefined };
    });

  test('agree with applying the steps of each rule alone', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 5 }), (changes) => {
        const { rounds, transitions, alarms } = planChanges(changes, ({ site }) => site);
        const openings = rounds.flatMap((round) => round.openings);
        for (const one of changes) {
          let alarm: AlarmRef | undefined = one.before?.alarmUuid;
          const endings: AlarmRef[] = [];
          for (const taken of one.steps) {
            if (taken.to === 'open' && taken.from !== 'clearing') {
              const number = openings.findIndex((opening) => opening.step === taken);
              expect(number >= 0).toBe(one.site !== undefined);
              if (number >= 0) alarm = number;
            } else if (taken.to === 'normal') {
              if (alarm !== undefined) endings.push(alarm);
              alarm = undefined;
            }
          }
          expect(alarms.get(one)).toBe(alarm);
          expect(rounds.flatMap((round) => round.endings.filter((ending) => ending.change === one))).toEqual(
            endings.map((ending) => expect.objectContaining({ alarm: ending })),
          );
          const recorded = transitions.filter((entry) => entry.change === one).map((entry) => entry.step);
          expect(recorded).toEqual(
            one.steps.filter((taken) => one.site !== undefined || taken.to !== 'open' || taken.from === 'clearing'),
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test('never open and end alarms of one site in the same round, nor two steps of one rule', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 5 }), (changes) => {
        for (const { openings, progress, endings, held } of planChanges(changes, ({ site }) => site).rounds) {
          const all = [...openings, ...progress, ...endings].map((planned) => planned.change);
          expect(new Set(all).size).toBe(all.length);
          const opening = new Set(openings.map((planned) => planned.change.site));
          for (const { change: ending } of endings) {
            if (ending.site !== undefined) expect(opening.has(ending.site)).toBe(false);
          }
          if (endings.length === 0) expect(held).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
