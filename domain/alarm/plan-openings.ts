import type { NotificationDraft, Recipient } from '../notification/draft.ts';
import type { Context } from '../rule/context.ts';
import { type AlarmDraft, gravityOf } from './alarm-draft.ts';
import type { NewEvent } from './event.ts';
import { type Brought, type Joining, nothingBrought } from './join.ts';
import { displayNumber } from './number-text.ts';
import { type Quiet, quietEvent } from './quiet.ts';
import { outsideForText } from './texts.ts';

/** An opening with the alarm that it opened or joined. */
export interface PlacedOpening {
  draft: AlarmDraft;
  context: Context;
  alarmUuid: string;
  /**
   * True if this opening opened the alarm. False if the alarm was open before, or an earlier opening of the batch
   * opened it.
   */
  isNew: boolean;
  /**
   * Why the alarm must be quiet for this rule, for example because the rule is shelved; undefined if it need not be
   * quiet.
   */
  quiet?: Quiet | undefined;
}

export interface OpeningPlan {
  placed: PlacedOpening[];
  opened: PlacedOpening[];
  joined: PlacedOpening[];
  /** Uuids of alarms that occurred again, one entry for each occurrence. */
  occurredAgain: string[];
}

/** An open alarm after the insert: a new alarm, or an alarm that was already open. */
export interface StoredAlarm {
  uuid: string;
  site: string;
  message: string;
}

const keyOf = (site: string, message: string) => `${site}\n${message}`;
const keyOfDraft = ({ context, message }: AlarmDraft) => keyOf(context.siteUuid, message);

/**
 * Returns the alarms to insert. Rules of a site with the same message share one alarm, which the first of these rules
 * opens.
 */
export function alarmsToInsert(drafts: readonly AlarmDraft[]): AlarmDraft[] {
  const first = new Map<string, AlarmDraft>();
  for (const draft of drafts) if (!first.has(keyOfDraft(draft))) first.set(keyOfDraft(draft), draft);
  return [...first.values()];
}

/** Assigns an alarm to every opening. `stored` is the result of inserting `alarmsToInsert(drafts)`. */
export function planOpenings(drafts: readonly AlarmDraft[], stored: readonly StoredAlarm[]): OpeningPlan {
  const storedUuids = new Map(stored.map(({ uuid, site, message }) => [keyOf(site, message), uuid]));
  const inserted = new Map(alarmsToInsert(drafts).map((draft) => [keyOfDraft(draft), draft]));
  const placed = drafts.map((draft) => {
    const opener = inserted.get(keyOfDraft(draft)) as AlarmDraft;
    const alarmUuid = storedUuids.get(keyOfDraft(draft)) ?? opener.uuid;
    return { draft, context: draft.context, alarmUuid, isNew: draft === opener && alarmUuid === draft.uuid };
  });
  const joined = placed.filter(({ isNew }) => !isNew);
  // The insert has already counted one occurrence of each inserted draft.
  const uncounted = joined.filter(({ draft }) => inserted.get(keyOfDraft(draft)) !== draft);
  return {
    placed,
    opened: placed.filter(({ isNew }) => isNew),
    joined,
    occurredAgain: uncounted.map(({ alarmUuid }) => alarmUuid),
  };
}

/** Returns the recipients, severity and escalation that each rule of `joined` adds to its alarm, in the same order. */
export function joiningsOf({ joined }: OpeningPlan): Joining[] {
  return joined.map(({ draft, alarmUuid, quiet }) => {
    const { context, recipients, plan, position, due, mustAcknowledge } = draft;
    const begun = { plan, position, due };
    return {
      alarmUuid,
      watchUuid: context.watchUuid,
      ...gravityOf(draft),
      recipients,
      ...begun,
      mustAcknowledge,
      quiet,
    };
  });
}

/**
 * Returns the timeline events and notifications for the alarms that open. `brought[i]` is what the rule of `joined[i]`
 * added to the alarm that it joined.
 */
export function openingMessages(
  { placed, joined }: OpeningPlan,
  brought: readonly (Brought | undefined)[],
): { events: NewEvent[]; notifications: NotificationDraft[] } {
  const broughtBy = new Map(joined.map(({ draft }, index) => [draft, brought[index]]));
  return {
    events: placed.flatMap(({ draft, alarmUuid, isNew, quiet }) => [
      eventOf(draft, alarmUuid, isNew, broughtBy.get(draft), isNew && quiet ? undefined : draft.sentence),
      ...(isNew && quiet ? [quietEvent(alarmUuid, draft.context.customerUuid, draft.step.at, quiet)] : []),
    ]),
    notifications: placed.flatMap(({ draft, alarmUuid, isNew, quiet }) =>
      isNew && quiet
        ? []
        : notificationDraftsOf(draft, alarmUuid, isNew ? undefined : (broughtBy.get(draft) ?? nothingBrought)),
    ),
  };
}

function notificationDraftsOf(draft: AlarmDraft, alarmUuid: string, joined: Brought | undefined): NotificationDraft[] {
  const { context, recipients, step } = draft;
  const { customerUuid, watchUuid, siteUuid, alert } = context;
  const people = joined ? joined.people : recipients.alert;
  const common = {
    customerUuid,
    topic: watchUuid,
    at: step.at,
    alarmUuid,
    siteUuid,
    step: 0,
    messageType: 1 as const,
    severity: joined?.alarmSeverity ?? gravityOf(draft).severity,
    subject: recipients.subject,
    text: recipients.text,
  };
  // People who are recipients only because of an action receive a notification of kind `action`.
  const named = new Set(alert?.users.filter(({ isAlert }) => isAlert).map((user) => user.uuid));
  const isNamed = ({ uuid, onCall }: Recipient) => onCall !== undefined || named.has(uuid);
  return [
    { ...common, kind: 'alarm', people: people.filter(isNamed) },
    { ...common, kind: 'action', people: people.filter((person) => !isNamed(person)) },
  ];
}

function eventOf(
  draft: AlarmDraft,
  alarmUuid: string,
  isNew: boolean,
  brought: Brought | undefined,
  begun: string | undefined,
): NewEvent {
  const { context, step, since, value, message, measured } = draft;
  const { customerUuid, datapointName, unit, kind, ruleName } = context;
  const what =
    kind === 'limits' && value !== null
      ? `${datapointName} was ${displayNumber(value)} ${unit}`.trimEnd()
      : kind === 'digital'
        ? message
        : `The conditions of "${ruleName}" were met`;
  const said = measured?.shown ? `: ${measured.shown}` : '';
  const held = `${what}${outsideForText(kind, step.at - since)}${said}.`;
  const graver = brought?.severity ? ` The severity is now ${brought.severity}.` : '';
  const joined = brought ? `${held} The rule "${ruleName}" has the same message.${graver}` : held;
  const sentence = begun && (isNew || brought) ? `${joined} ${begun}` : joined;
  return {
    alarmUuid,
    customerUuid,
    at: step.at,
    kind: isNew ? 'opened' : 'occurred',
    sentence,
    detail: { because: step.because, value, since, rule: ruleName },
  };
}
