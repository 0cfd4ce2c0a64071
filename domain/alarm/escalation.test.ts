import { describe, expect, test } from 'vitest';
import { decideEscalation, defaultEscalation, type EscalationPlan, firstEscalation } from './escalation.ts';

const MINUTE = 60_000;
const openedAt = Date.parse('2026-11-15T08:00:00Z');
const plan: EscalationPlan = { ...defaultEscalation, people: ['ann'] };
const quiet = { plan, openedAt, step: 0, acknowledged: false, resolved: false };

/** Runs the engine at the given minutes. Returns the minutes at which it escalated, counted from the opening. */
function toldAt(engineMinutes: (minute: number) => boolean, some: EscalationPlan = plan): number[] {
  const told: number[] = [];
  let step = 0;
  let dueAt = firstEscalation(some, openedAt);
  for (let minute = 0; minute <= 600 && dueAt !== undefined; minute += 1) {
    if (!engineMinutes(minute)) continue;
    const verdict = decideEscalation({ ...quiet, plan: some, step, dueAt }, openedAt + minute * MINUTE);
    if (!verdict.escalate) continue;
    told.push(minute);
    step = verdict.step;
    dueAt = verdict.next;
  }
  return told;
}

describe('an unacknowledged alarm', () => {
  test('escalates after 15 minutes, then every 15, three times in all', () => {
    expect(toldAt(() => true)).toEqual([15, 30, 45]);
  });

  test('follows the plan of its rule', () => {
    expect(toldAt(() => true, { afterMinutes: 5, everyMinutes: 60, times: 4, people: ['ann'] })).toEqual([
      5, 65, 125, 185,
    ]);
    expect(toldAt(() => true, { afterMinutes: 0, everyMinutes: 10, times: 1, people: ['ann'] })).toEqual([0]);
  });

  test('escalates once right after a downtime, and again an interval later', () => {
    expect(toldAt((minute) => minute >= 200)).toEqual([200, 215, 230]);
    expect(toldAt((minute) => minute <= 15 || minute >= 40)).toEqual([15, 40, 55]);
  });

  test('escalates at most once a minute with an interval of 0', () => {
    expect(toldAt(() => true, { afterMinutes: 1, everyMinutes: 0, times: 3, people: ['ann'] })).toEqual([1, 2, 3]);
  });

  test('escalates to the millisecond', () => {
    const due = openedAt + 15 * MINUTE;
    expect(firstEscalation(plan, openedAt)).toBe(due);
    expect(decideEscalation(quiet, due - 1)).toEqual({ escalate: false, because: 'not-due', until: due });
    expect(decideEscalation(quiet, due)).toEqual({ escalate: true, step: 1, next: due + 15 * MINUTE });
    expect(decideEscalation({ ...quiet, step: 2 }, due + 30 * MINUTE)).toEqual({
      escalate: true,
      step: 3,
      next: undefined,
    });
  });

  test('computes a step without a stored time from the opening', () => {
    expect(decideEscalation({ ...quiet, step: 1 }, openedAt + 29 * MINUTE)).toEqual({
      escalate: false,
      because: 'not-due',
      until: openedAt + 30 * MINUTE,
    });
  });
});

describe('no escalation', () => {
  const late = openedAt + 600 * MINUTE;

  test.each([
    ['acknowledged', { ...quiet, acknowledged: true }],
    ['acknowledged', { ...quiet, acknowledged: true, resolved: true }],
    ['resolved', { ...quiet, resolved: true }],
    ['no-people', { ...quiet, plan: { ...plan, people: [] } }],
    ['finished', { ...quiet, step: 3 }],
    ['finished', { ...quiet, plan: { ...plan, times: 0 } }],
  ] as const)('because it is %s', (because, facts) => {
    expect(decideEscalation(facts, late)).toEqual({ escalate: false, because });
  });

  test('is planned without people or with zero repetitions', () => {
    expect(firstEscalation({ ...plan, people: [] }, openedAt)).toBeUndefined();
    expect(firstEscalation({ ...plan, times: 0 }, openedAt)).toBeUndefined();
  });
});
