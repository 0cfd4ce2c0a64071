import { type Recipient, type Recipients, recipientOf } from '../notification/draft.ts';
import type { Person } from '../notification/recipients.ts';
import type { Context, StoredStep } from '../rule/context.ts';
import { type Priority, type Severity, severityOf } from '../rule/priority.ts';
import type { RecordedStep } from '../rule/recorded-step.ts';
import { type BegunPlan, beginPlan, type OnCall } from './begin-plan.ts';
import { type MeasuredValues, measuredAt, type RecordedConditions } from './criteria.ts';
import { factsOf, messageTemplates } from './opening-texts.ts';
import { lastOut, type Sample, type SamplesOf } from './samples.ts';
import { alarmMessage, alarmText, includesValue, withSite } from './texts.ts';

/** A rule's transition to the open state at the end of its debounce. It opens a new alarm or joins an open alarm. */
export interface Opening {
  context: Context;
  step: RecordedStep;
  /** Device time at which the value left the limits, or at which the conditions were first met. */
  since: number;
  /** The compiled conditions of a multi-condition rule; undefined for other kinds of rules. */
  conditions: RecordedConditions | undefined;
}

/** An alarm before it is stored. */
export interface AlarmDraft extends Opening, BegunPlan {
  uuid: string;
  message: string;
  value: number | null;
  samples: readonly Sample[];
  measured: MeasuredValues | undefined;
  recipients: Recipients;
  mustAcknowledge: boolean;
}

/** Composes the alarm for an opening: value, message, recipients and escalation. */
export function draftAlarm(
  opening: Opening,
  samplesOf: SamplesOf,
  people: ReadonlyMap<string, Person>,
  uuid: string,
  onCall: OnCall = { layers: new Map(), now: opening.step.at },
): AlarmDraft {
  const { context, step, since, conditions } = opening;
  const samples = samplesOf(context.channelKey, step.at);
  const measured = conditions && measuredAt(conditions, samplesOf, step.at);
  // A multi-condition rule compares several values, so its alarm has no single value.
  const value = conditions ? null : (lastOut(context, samples, since, step.at) ?? step.value ?? null);
  const facts = factsOf(context, value, step.at);
  const templates = messageTemplates(context, conditions, value);
  const message = alarmMessage(templates, facts);
  const recipients = recipientsOf(context, people);
  recipients.subject = withSite(context.siteName, message).slice(0, 200);
  recipients.text = alarmText(message, facts, measured?.sentences, includesValue(templates, facts));
  const { alert, actions } = context;
  const mustAcknowledge = alert ? alert.indAck || actions.some((action) => action.acknowledge) : true;
  const begun = beginPlan(alert, recipients, mustAcknowledge, people, onCall);
  return { ...opening, uuid, message, value, samples, measured, recipients, ...begun, mustAcknowledge };
}

/**
 * Returns the people to notify when the alarm opens, escalates or resolves. `notes` explains which recipients are
 * missing.
 */
function recipientsOf({ alert, actions, ruleName }: Context, people: ReadonlyMap<string, Person>): Recipients {
  const recipients: Recipients = { alert: [], resolve: [], escalate: [], notes: [], subject: '', text: '' };
  const add = (list: Recipient[], uuid: string) => {
    const person = people.get(uuid);
    if (!person) recipients.notes.push(`No user of this customer has the uuid ${uuid}.`);
    else if (!list.some((known) => known.uuid === uuid)) list.push(recipientOf(person));
  };
  if (!alert) recipients.notes.push(`Nobody is notified: this site has no rule alert for "${ruleName}".`);
  else if (alert.users.every(({ isAlert }) => !isAlert) && !alert.steps?.some(isFirstWithRota)) {
    recipients.notes.push(`The rule alert "${ruleName}" has no recipients for new alarms.`);
  }
  for (const { uuid, isAlert, isResolve } of alert?.users ?? []) {
    if (isAlert) add(recipients.alert, uuid);
    if (isResolve) add(recipients.resolve, uuid);
  }
  for (const uuid of alert?.escalate ?? []) add(recipients.escalate, uuid);
  for (const { people: named, escalate } of actions) {
    for (const uuid of named) {
      add(recipients.alert, uuid);
      if (escalate) add(recipients.escalate, uuid);
    }
  }
  return recipients;
}

const isFirstWithRota = ({ step, layers }: StoredStep) => step === 1 && layers.length > 0;

/** Returns the priority and severity of a new alarm, which depend on the rule and the channel. */
export function gravityOf({ context, conditions }: AlarmDraft): { priority: Priority; severity: Severity } {
  const priority = conditions?.rule.priority ?? context.priority;
  const { kind, channelMajor } = context;
  const digital = channelMajor ? 'major' : 'minor';
  return { priority, severity: kind === 'digital' ? digital : severityOf(priority, channelMajor) };
}
