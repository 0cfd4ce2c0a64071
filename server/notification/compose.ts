import type { KeyObject } from 'node:crypto';
import { smsText } from '../../domain/alarm/texts.ts';
import { fullHint, smsHint } from '../../domain/notification/answer-texts.ts';
import { METHOD, type MethodType } from '../../domain/notification/methods.ts';
import type { Severity } from '../../domain/rule/priority.ts';
import { smsSegments } from '../../domain/sms.ts';
import { serviceAccess } from '../access.ts';
import { type CustomerHost, customerUrl } from '../auth/customer-url.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { composeMail, type MailPart } from '../sender/mail-text.ts';
import type { Message } from '../sender/sender.ts';
import { offerReasons } from './answers/hint.ts';
import { alarmAddress, alarmLink, digestAddress } from './link.ts';

/** Stored notification that is waiting to be sent. */
export interface QueuedNotification extends CustomerHost {
  uuid: string;
  customer: string;
  alarm: string | null;
  address: string;
  method: MethodType;
  kind: string;
  subject: string;
  text: string;
  key: string;
  notified: number;
  must_acknowledge: boolean | null;
  severity: Severity | null;
}

export interface ComposedMessage {
  message: Message | undefined;
  /** Billed SMS segments; 0 for other methods. */
  segments: number;
  /** Reason why the message cannot be sent; undefined if it can. */
  impossible?: string;
}

/** Turns a stored notification into a message for a sender. Adds the link and, for push, the browser's subscription. */
export interface Composer {
  compose(queued: QueuedNotification): Promise<ComposedMessage>;
  /** Deletes a push subscription that the push service reports as expired. */
  forget(pushAddress: string): Promise<void>;
}

export function createComposer(options: {
  db: Database;
  clock: Clock;
  key: () => Promise<KeyObject>;
  publicUrl: string;
  /** Methods by which people can answer. */
  answerable?: ReadonlySet<MethodType>;
}): Composer {
  const { db, clock, key, publicUrl, answerable = new Set() } = options;

  return {
    async compose(queued) {
      const { customer, alarm, kind, severity, method, subject, text } = queued;
      const link = await linkOf(queued);
      // The text of an SMS includes the link. Other methods send the link in a separate field.
      const linked = smsText(text, link);
      const isAnswerable = link !== undefined && alarm !== null && kind !== 'digest' && answerable.has(method);
      const reasons = isAnswerable ? await offerReasons({ db, clock }, { ...queued, alarm }) : undefined;
      const hint = reasons && (method === METHOD.sms ? smsHint(linked, reasons) : fullHint(reasons));
      const sms = hint === undefined ? linked : `${linked} ${hint}`;
      const address = method === METHOD.push ? await subscriptionOf(queued.address) : queued.address;
      if (address === undefined) {
        return { message: undefined, segments: 0, impossible: 'The browser or app is no longer subscribed.' };
      }
      const message: Message = {
        ...(method === METHOD.email ? composeMail(subject, mailParts(kind, text, link)) : { subject, text }),
        customerUuid: customer,
        address,
        idempotencyKey: queued.key,
        ...(link !== undefined && { link }),
        ...(alarm !== null &&
          severity !== null &&
          kind !== 'digest' && { alarm: { uuid: alarm, severity, isResolved: kind === 'resolve' } }),
        ...(method === METHOD.sms && { text: sms }),
        ...(method === METHOD.whatsapp && hint !== undefined && { text: `${text}\n\n${hint}` }),
      };
      return { message, segments: method === METHOD.sms ? smsSegments(sms).segments : 0 };
    },

    async forget(pushAddress) {
      await db.transaction(serviceAccess(clock), (tx) =>
        tx.query('delete from tocsin.push_subscription where uuid::text = $1', [pushAddress]),
      );
    },
  };

  /**
   * Returns the link for acknowledging the alarm, or the link to the alarms of a digest. Returns undefined if there is
   * nothing to acknowledge. Every attempt to send the notification gets the same link.
   */
  async function linkOf(queued: QueuedNotification): Promise<string | undefined> {
    const { uuid, alarm, method, notified, kind, must_acknowledge } = queued;
    if (kind === 'digest') return digestAddress(customerUrl(publicUrl, queued), uuid);
    if (alarm === null || kind === 'resolve' || kind === 'confirmation') return undefined;
    if (!must_acknowledge) return undefined;
    return alarmAddress(customerUrl(publicUrl, queued), alarmLink(await key(), alarm, method, new Date(notified)));
  }

  async function subscriptionOf(uuid: string): Promise<string | undefined> {
    const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
      tx.query<{ subscription: string }>('select subscription from tocsin.push_subscription where uuid::text = $1', [
        uuid,
      ]),
    );
    return rows[0]?.subscription;
  }
}

function mailParts(kind: string, text: string, link: string | undefined): MailPart[] {
  if (link === undefined) return [text];
  return kind === 'digest'
    ? [text, 'Open this link to see the alarms:', { link, title: 'Show alarms' }]
    : [text, 'Open this link to acknowledge the alarm:', { link, title: 'Acknowledge' }];
}
