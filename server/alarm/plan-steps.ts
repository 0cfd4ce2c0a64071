import type { EscalationPlan } from '../../domain/alarm/escalation.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { nextPosition, resolveStep, roundsFrom, roundText, type StepRecipient } from '../../domain/alarm/plan.ts';
import { mergeRecipients, type Recipient, type Recipients, recipientOf } from '../../domain/notification/draft.ts';
import type { Person } from '../../domain/notification/recipients.ts';
import type { NotifiedAlarm } from '../notification/current-recipients.ts';
import { loadPeople } from '../notification/people.ts';
import { loadLayers } from '../on-call/load-layers.ts';
import type { Transaction } from '../platform/database.ts';

export interface DueAlarm extends NotifiedAlarm {
  plan: EscalationPlan;
  recipients: Recipients;
  due: number;
  /** Number of escalations so far. */
  step: number;
  /** Position in a plan with steps. */
  planStep: number;
  planRepeat: number;
}

/** What an escalation changes on its alarm. */
export interface Escalated {
  step: number;
  next: number | null;
  planStep: number;
  planRepeat: number;
  recipients: Recipients;
  people: readonly Recipient[];
  events: Pick<NewEvent, 'kind' | 'sentence' | 'detail'>[];
}

/**
 * Runs the step or repeat that is due of each alarm. Rotas are resolved now. A step without anybody to notify is skipped,
 * and the next one runs at once. After a downtime, only one missed step runs, and the next follows after its whole wait.
 */
export async function runSteps(
  tx: Transaction,
  alarms: readonly DueAlarm[],
  now: number,
): Promise<Map<string, Escalated>> {
  if (alarms.length === 0) return new Map();
  const steps = alarms.flatMap(({ plan }) => plan.steps ?? []);
  const layers = await loadLayers(
    tx,
    steps.flatMap((step) => step.layers.map(({ uuid }) => uuid)),
    now,
  );
  const people = await loadPeople(
    tx,
    alarms.flatMap(({ customer, plan }) =>
      (plan.steps ?? []).flatMap((step) =>
        resolveStep(step, layers, now).people.map(({ uuid }) => ({ uuid, customerUuid: customer })),
      ),
    ),
  );
  return new Map(alarms.map((alarm) => [alarm.uuid, runStep(alarm, layers, people, now)]));
}

function runStep(
  alarm: DueAlarm,
  layers: Awaited<ReturnType<typeof loadLayers>>,
  people: ReadonlyMap<string, Person>,
  now: number,
): Escalated {
  const { plan, planStep, planRepeat, recipients, step } = alarm;
  const steps = plan.steps ?? [];
  const due = nextPosition(steps, { step: planStep, repeat: planRepeat });
  if (!due) return { step, next: null, planStep, planRepeat, recipients, people: [], events: [] };
  const rounds = roundsFrom(steps, due.position, (one) => {
    const resolved = resolveStep(one, layers, now);
    return { ...resolved, people: resolved.people.filter(({ uuid }) => people.has(uuid)) };
  });
  const recipientsOf = (found: readonly StepRecipient[]) =>
    found.map(({ uuid, onCall }) => currentRecipient(alarm, people.get(uuid) as Person, onCall));
  const last = rounds.at(-1);
  const position = last?.position ?? due.position;
  const notified = recipientsOf(last?.people ?? []);
  const next = nextPosition(steps, position);
  return {
    ...{ step: step + 1, next: next ? now + next.wait : null, planStep: position.step, planRepeat: position.repeat },
    people: notified,
    recipients: { ...recipients, escalate: mergeRecipients(recipients.escalate, notified) },
    events: rounds.map((round) => ({
      kind: round.people.length > 0 ? 'escalated' : 'not-notified',
      sentence: `Nobody acknowledged the alarm. ${roundText(steps, round, recipientsOf(round.people))}`,
      detail: { ...round.position, ...(round.gaps.length > 0 && { because: 'gap', rotas: round.gaps }) },
    })),
  };
}

/** A named person keeps the addresses that were stored with the alarm, unless the person was disabled meanwhile. */
function currentRecipient({ recipients }: DueAlarm, person: Person, onCall: string | undefined): Recipient {
  const stored = [...recipients.alert, ...recipients.escalate].find(
    (known) => known.uuid === person.uuid && known.onCall === undefined,
  );
  return stored && person.active && onCall === undefined ? stored : recipientOf(person, onCall);
}
