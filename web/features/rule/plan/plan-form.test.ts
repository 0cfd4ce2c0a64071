import { describe, expect, test } from 'vitest';
import type { RuleAlertRecord } from '../alert/rule-alert.queries.ts';
import { newStep, planInput, planProblem, planValues, type StepRow, stepProblems } from './plan-form.ts';

const person = (uuid: string) => ({ uuid, name: uuid.toUpperCase() });
const alert = {
  ...{
    uuid: 'alert',
    tocsinRuleName: 'Level',
    tocsinSiteUuid: 'site',
    indAck: true,
    updatedAt: '2026-01-01',
    site: null,
  },
  ...{ escalateMinutes: 20, escalateIntervalMinutes: 10, escalateCount: 3, ruleCount: 1, reasons: [] },
  people: [
    {
      uuid: '1',
      tocsinUserUuid: 'ann',
      personName: 'ANN',
      isAlert: true,
      isResolve: false,
      isHealth: false,
      user: null,
    },
    {
      uuid: '2',
      tocsinUserUuid: 'ben',
      personName: 'BEN',
      isAlert: false,
      isResolve: true,
      isHealth: false,
      user: null,
    },
  ],
  escalates: [{ uuid: '3', tocsinUserUuid: 'cem', personName: 'CEM' }],
} as RuleAlertRecord;
const third = {
  ...{ step: 3, waitMinutes: 30, repeatCount: 1, repeatMinutes: 5 },
  ...{ people: [person('dan')], layers: [person('layer')] },
};

describe('the steps of a rule alert', () => {
  test('are its people, its escalation and its further steps', () => {
    expect(
      planValues(alert, [third]).steps.map(({ wait, repeats, people }) => [wait, repeats, people[0]?.uuid]),
    ).toEqual([
      [0, 0, 'ann'],
      [20, 2, 'cem'],
      [30, 1, 'dan'],
    ]);
    expect(planValues({ ...alert, escalates: [] }, []).steps).toHaveLength(1);
  });

  test('are saved where they were read, and keep people who are only notified of the resolution', () => {
    const { steps } = planValues(alert, [third]);
    const [first, ...more] = steps as [StepRow, ...StepRow[]];
    const input = planInput(alert, { steps: [{ ...first, people: [person('eve')] }, ...more] }, 'mark');
    expect(input).toMatchObject({
      uuid: 'alert',
      seen: 'mark',
      escalateMinutes: 20,
      escalateCount: 3,
      escalates: ['cem'],
    });
    expect(input.people).toEqual([
      { tocsinUserUuid: 'ben', isAlert: false, isResolve: true, isHealth: false },
      { tocsinUserUuid: 'eve', isAlert: true, isResolve: true, isHealth: false },
    ]);
    expect(input.steps).toEqual([
      { layers: [], repeatCount: 0, repeatMinutes: 15 },
      { layers: [] },
      { layers: ['layer'], waitMinutes: 30, people: ['dan'], repeatCount: 1, repeatMinutes: 5 },
    ]);
  });

  test('escalate to nobody after the second step is removed', () => {
    const [first] = planValues(alert, []).steps as [StepRow];
    expect(planInput(alert, { steps: [first] }, undefined)).toMatchObject({ escalates: [], steps: [{ layers: [] }] });
  });
});

describe('a step', () => {
  test.each([
    [{ wait: 0 }, ['wait']],
    [{ wait: 10_081 }, ['wait']],
    [{ repeats: 100 }, ['repeats']],
    [{ every: 0 }, ['every']],
    [{ people: [] }, ['recipients']],
    [{}, []],
  ] as [Partial<StepRow>, string[]][])('names its wrong fields: %o', (more, fields) => {
    const good = { ...newStep, people: [person('ann')] };
    expect(Object.keys(stepProblems([good, { ...good, ...more }])[1] ?? {})).toEqual(fields);
  });

  test('is named in the message above the plan', () => {
    const good = { ...newStep, people: [person('ann')] };
    expect(planProblem({ steps: [good] })).toBeUndefined();
    expect(planProblem({ steps: [newStep, good, newStep] })).toBe('Correct the steps 1, 3.');
    expect(planProblem({ steps: Array.from({ length: 11 }, () => good) })).toMatch(/at most 10 steps/);
  });
});
