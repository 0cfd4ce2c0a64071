import type { EscalationPlan } from '../../domain/alarm/escalation.ts';
import { type Recipient, type Recipients, recipientOf } from '../../domain/notification/draft.ts';
import type { Severity } from '../../domain/rule/priority.ts';
import type { Transaction } from '../platform/database.ts';
import { loadPeople } from './people.ts';

/** Columns of an open alarm that are needed for further notifications about it. */
export interface NotifiedAlarm {
  uuid: string;
  customer: string;
  site: string | null;
  rule: string | null;
  severity: Severity;
  /** The alarm's escalation plan; null if a user reported the alarm. */
  plan: EscalationPlan | null;
  recipients: Recipients | null;
  /** Server time at which the alarm opened. */
  opened: number;
  /** Device time at which the alarm opened. */
  happened: number;
  source: string;
}

/** Returns the topic of an alarm's notifications; see `Candidate.topic`. */
export function topicOf({ rule, site }: Pick<NotifiedAlarm, 'rule' | 'site'>): string {
  return rule ?? (site === null ? '' : `silence ${site}`);
}

/**
 * Returns the recipients stored on each alarm, without deleted users. A user who was disabled after the alarm opened is
 * not notified.
 */
export async function loadCurrentRecipients(
  tx: Transaction,
  alarms: readonly NotifiedAlarm[],
  role: 'alert' | 'escalate',
): Promise<Map<string, Recipient[]>> {
  const wanted = alarms.flatMap(({ customer, recipients }) =>
    (recipients?.[role] ?? []).map(({ uuid }) => ({ uuid, customerUuid: customer })),
  );
  const people = await loadPeople(tx, wanted);
  return new Map(
    alarms.map(({ uuid, recipients }) => [
      uuid,
      (recipients?.[role] ?? []).flatMap((recipient) => {
        const person = people.get(recipient.uuid);
        if (!person) return [];
        return person.active ? recipient : recipientOf(person);
      }),
    ]),
  );
}
