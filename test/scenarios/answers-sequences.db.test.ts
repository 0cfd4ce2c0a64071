/**
 * Any sequence of messages leaves an alarm as some sequence of console actions by permitted people would: the model
 * below takes only the messages that a permitted person could have done in the console.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswersPlant, type Technician } from './answers-plant.ts';
import { resolve } from './people.ts';

let answers: AnswersPlant;
beforeAll(async () => {
  answers = await AnswersPlant.start();
});
afterAll(() => answers?.close());

const REASONS = ['Pump blocked', 'Rain'];

interface Model {
  /** Who acknowledged, with which reason. */
  acknowledged: [name: string, reason: string] | undefined;
  isShelved: boolean;
  isResolved: boolean;
}

type Step =
  | { kind: 'sms'; from: 'Anna' | 'Bea' | 'Stranger'; text: string; again: boolean; forged: boolean }
  | { kind: 'resolve' }
  | { kind: 'wait' };

const texts = ['1', '3', '4 on my way', '3 A', '5', '2 10', '2 9999', '2', 'ok', '', '1️⃣', '٤'];
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('sms' as const),
      from: fc.constantFrom('Anna' as const, 'Bea' as const, 'Stranger' as const),
      text: fc.constantFrom(...texts),
      again: fc.boolean(),
      forged: fc.integer({ max: 4, min: 0 }).map((number) => number === 0),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'resolve' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'wait' as const }) },
);

/** What the message does to the alarm if Anna sends it. Only Anna has access to the site. */
function after(model: Model, { from, text, forged }: Step & { kind: 'sms' }): Model {
  if (from !== 'Anna' || forged || model.isResolved || model.acknowledged) return model;
  const number = text.startsWith('4') || text === '٤' ? 4 : text.startsWith('3') ? 3 : undefined;
  if (number !== undefined) return { ...model, acknowledged: ['Anna', REASONS[number - 3] as string] };
  // A shelved alarm cannot be shelved again, and 9999 minutes are more than an operator may choose.
  return text === '2 10' ? { ...model, isShelved: true } : model;
}

test('leaves the alarm as permitted console actions would', async () => {
  const olga = await answers.plant.browser(await answers.plant.person({ level: 0, name: 'Olga' }));
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 8 }), async (sequence) => {
      const [anna, bea] = [await answers.technician('Anna'), await answers.technician('Bea')];
      const phones = { Anna: anna.phone, Bea: bea.phone, Stranger: '+447700800009' };
      const { uuid } = await answers.alarm([anna, bea] satisfies Technician[], { reasons: REASONS, linked: [anna] });
      let model: Model = { acknowledged: undefined, isShelved: false, isResolved: false };
      for (const [place, step] of sequence.entries()) {
        if (step.kind === 'resolve') {
          if (!model.isResolved) await resolve(olga, uuid);
          model = { ...model, isResolved: true };
        } else if (step.kind === 'wait') {
          await answers.plant.pass(60);
        } else {
          const id = `${uuid} ${place}`;
          for (let times = 0; times < (step.again ? 2 : 1); times += 1) {
            const key = step.forged ? 'guess' : 'auth-token';
            const status = await answers.sms(phones[step.from], step.text, { id, key });
            // Many forged calls from one address get 429.
            expect(step.forged ? [403, 429] : [204]).toContain(status);
          }
          model = after(model, step);
        }
        const state = await answers.stateOf(uuid);
        expect(state.resolved).toBe(model.isResolved);
        expect([state.name, state.reason]).toEqual(model.acknowledged ?? [null, null]);
        expect(state.quiet !== null).toBe(model.isShelved);
        const events = await answers.plant.events(uuid);
        expect(events.filter(({ kind }) => kind === 'acknowledged')).toHaveLength(model.acknowledged ? 1 : 0);
      }
    }),
    { numRuns: 25 },
  );
});
