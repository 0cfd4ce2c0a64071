import { mergeRecipients, type Recipient, type Recipients, recipientOf } from '../notification/draft.ts';
import type { Person } from '../notification/recipients.ts';
import type { RotaLayer } from '../on-call/rota.ts';
import type { RuleAlert } from '../rule/context.ts';
import { type EscalationPlan, escalationAfter, firstEscalation, opened, planOf, stepsOf } from './escalation.ts';
import { type PlanPosition, type PlanStep, resolveStep, roundText } from './plan.ts';

/** The rotas at the time at which a plan begins. */
export interface OnCall {
  layers: ReadonlyMap<string, RotaLayer>;
  now: number;
}

/** A plan whose first step begins now. */
export interface BegunPlan {
  plan: EscalationPlan;
  position: PlanPosition;
  /** Server time of the next step or repeat; null if there is none. */
  due: number | null;
  /** Who was on call, as timeline text; undefined if the first step has no rota. */
  sentence: string | undefined;
  /** The recipients of the first step. */
  notified: Recipient[];
}

/** Begins the plan of a new alarm. Adds the people on call, and the people of later steps, to `recipients`. */
export function beginPlan(
  alert: RuleAlert | null,
  recipients: Recipients,
  mustAcknowledge: boolean,
  people: ReadonlyMap<string, Person>,
  onCall: OnCall,
): BegunPlan {
  const uuidsOf = (list: Recipients['alert']) => list.map(({ uuid }) => uuid);
  const steps = stepsOf(alert, uuidsOf(recipients.alert), uuidsOf(recipients.escalate));
  const plan = planOf(alert, uuidsOf(recipients.escalate), mustAcknowledge, steps);
  if (!plan.steps) {
    return {
      plan,
      position: opened,
      due: firstEscalation(plan, onCall.now) ?? null,
      sentence: undefined,
      notified: recipients.alert,
    };
  }
  const [first, ...later] = plan.steps;
  const named = later.flatMap((step) => step.people.map((uuid) => people.get(uuid)));
  recipients.escalate = mergeRecipients(
    recipients.escalate,
    named.flatMap((person) => (person ? [recipientOf(person)] : [])),
  );
  return { plan, ...beginFirstStep(plan, first as PlanStep, recipients, people, onCall) };
}

/** Resolves the rotas of the first step, which begins now. Adds the people on call to `recipients.alert`. */
export function beginFirstStep(
  plan: EscalationPlan,
  first: PlanStep,
  recipients: Recipients,
  people: ReadonlyMap<string, Person>,
  { layers, now }: OnCall,
): Omit<BegunPlan, 'plan'> {
  const steps = plan.steps ?? [];
  const { people: resolved, gaps } = resolveStep({ people: [], layers: first.layers }, layers, now);
  const added = resolved.flatMap(({ uuid, onCall }) => {
    const person = people.get(uuid);
    return person ? [recipientOf(person, onCall)] : [];
  });
  const fixed = recipients.alert.filter(({ onCall }) => onCall === undefined);
  const notified = mergeRecipients(fixed, added);
  recipients.alert = mergeRecipients(notified, recipients.alert);
  const isSkipped = notified.length === 0 && steps.length > 1;
  const position = isSkipped ? { step: 1, repeat: first.repeats } : opened;
  return {
    position,
    notified,
    due: isSkipped ? now : (escalationAfter(plan, now, position) ?? null),
    sentence: first.layers.length === 0 ? undefined : roundText(steps, { position: opened, gaps, isSkipped }, notified),
  };
}

/** Returns the uuids of the layers that are resolved when the alarm opens. */
export function layersOfFirstStep(alert: RuleAlert | null): string[] {
  return (alert?.steps ?? []).flatMap(({ step, layers }) => (step === 1 ? layers.map(({ uuid }) => uuid) : []));
}

/** Returns the uuids of all people whom a rule alert names, and of those on call in its first step. */
export function peopleOfAlert(alert: RuleAlert | null, { layers, now }: OnCall): string[] {
  if (!alert) return [];
  const first = { people: [], layers: layersOfFirstStep(alert).map((uuid) => ({ uuid, name: '' })) };
  return [
    ...alert.users.map(({ uuid }) => uuid),
    ...alert.escalate,
    ...(alert.steps ?? []).flatMap(({ people }) => people),
    ...resolveStep(first, layers, now).people.map(({ uuid }) => uuid),
  ];
}
