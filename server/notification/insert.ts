import { hash } from 'node:crypto';
import type { MessageType } from '../../domain/notification/draft.ts';
import { METHOD } from '../../domain/notification/methods.ts';
import { type Candidate, onceKey } from '../../domain/notification/stages.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { reservedSegments, type SmsPlace } from './sms-budgets.ts';

export interface NewNotification extends Candidate, SmsPlace {
  messageType: MessageType;
  subject: string;
  /** Uuids of the parts of a digest. */
  digestUuids?: readonly string[];
}

/** Returns the stored form of an `onceKey`. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

/**
 * Inserts the notifications in the given order, so that their sequence numbers have the same order. Wakes the senders.
 */
export async function insertNotifications(
  tx: Transaction,
  sent: readonly NewNotification[],
  now: number,
): Promise<void> {
  if (sent.length === 0) return;
  const rows = sent.map((candidate, place) => {
    const { customerUuid, siteUuid, messageType, subject, digestUuids } = candidate;
    const { alarmUuid, personUuid, name, address, method, kind, step, topic, text } = candidate;
    return {
      uuid: randomUuid(),
      customer: customerUuid,
      site: siteUuid,
      alarm: alarmUuid,
      person: personUuid,
      name,
      address,
      method,
      type: messageType,
      kind,
      step,
      topic,
      subject,
      text,
      segments: method === METHOD.sms ? reservedSegments(candidate) : 0,
      once: hashOfKey(onceKey(candidate)),
      digests: digestUuids ?? null,
      place,
    };
  });
  const queue = tx.query(
    `insert into tocsin.notification (uuid, tocsin_customer_uuid, tocsin_site_uuid, tocsin_alarm_uuid, tocsin_user_uuid,
       recipient_name, address, method_type, message_type, kind, step, topic, subject, notify_message, notify_time, next_attempt_at, segments, once_key, digest_uuids)
     select uuid, customer, site, alarm, person, name, address, method, type, kind, step, topic, subject, text, to_timestamp($2::float8 / 1000),
       to_timestamp($2::float8 / 1000), segments, once, digests
     from ${recordset('n', {
       uuid: 'uuid',
       customer: 'uuid',
       site: 'uuid',
       alarm: 'uuid',
       person: 'uuid',
       name: 'text',
       address: 'text',
       method: 'smallint',
       type: 'smallint',
       kind: 'text',
       step: 'smallint',
       topic: 'text',
       subject: 'text',
       text: 'text',
       segments: 'smallint',
       once: 'text',
       digests: 'uuid[]',
       place: 'int',
     })}
     order by place
     on conflict (tocsin_customer_uuid, once_key) do nothing`,
    [JSON.stringify(rows), now],
  );
  await Promise.all([queue, tx.query(`select pg_notify('tocsin_message', '')`)]);
}
