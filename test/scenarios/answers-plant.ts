/** A plant whose people answer SMS by Twilio and WhatsApp messages. The providers are real HTTP servers. */
import { createHmac } from 'node:crypto';
import type { Config } from '../../server/config.ts';
import type { LogData } from '../../server/platform/log.ts';
import { twilioSignature } from '../../server/sender/receipt/twilio.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { Plant, type Station } from './plant.ts';

export const PUBLIC = 'https://tocsin.example';
const PHONE_ID = '1065';
const off = { email_notification: false, whatsapp_notification: false, apps_notification: false };

let count = 0;

export interface Technician extends UserRow {
  phone: string;
}

interface Call {
  id?: string;
  /** Token or secret with which the call is signed. */
  key?: string;
  port?: number;
}

export class AnswersPlant {
  readonly plant: Plant;
  readonly twilio: HttpReceiver;
  readonly meta: HttpReceiver;
  readonly config: Partial<Config>;
  /** The log: sentences with their data. */
  readonly lines: readonly string[];

  private constructor(
    plant: Plant,
    twilio: HttpReceiver,
    meta: HttpReceiver,
    config: Partial<Config>,
    lines: string[],
  ) {
    this.plant = plant;
    this.twilio = twilio;
    this.meta = meta;
    this.config = config;
    this.lines = lines;
  }

  static async start(): Promise<AnswersPlant> {
    const [twilio, meta] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
    twilio.always(() => ({ status: 201, body: { sid: `SM${++count}`, status: 'queued' } }));
    meta.always(() => ({ body: { messages: [{ id: `wamid.${++count}` }] } }));
    const config: Partial<Config> = {
      publicUrl: PUBLIC,
      sms: { by: 'twilio', account: 'AC0', token: 'auth-token', from: '+15005550006', url: twilio.url, inbound: true },
      whatsapp: {
        ...{ token: 'secret', phoneId: PHONE_ID, template: undefined, language: 'en', url: `${meta.url}/v23.0` },
        ...{ receipts: { appSecret: 'app-secret', verifyToken: 'a-word-of-our-own' }, inbound: true },
      },
    };
    const lines: string[] = [];
    const write = (sentence: string, data?: LogData) => void lines.push(`${sentence} ${JSON.stringify(data ?? {})}`);
    const plant = await Plant.start(config, { log: { info: write, warn: write, error: write } });
    return new AnswersPlant(plant, twilio, meta, config, lines);
  }

  async close(): Promise<void> {
    await this.plant.close();
    await Promise.all([this.twilio.stop(), this.meta.stop()]);
  }

  /** Adds a person who is notified by SMS, or with `whatsapp` by WhatsApp. */
  async technician(
    name: string,
    more: { phone?: string; level?: number; whatsapp?: boolean } = {},
  ): Promise<Technician> {
    count += 1;
    const { phone = `+447700${String(900_000 + count)}`, level = 20, whatsapp = false } = more;
    const flags = { ...off, sms_notification: !whatsapp, whatsapp_notification: whatsapp, phone_number: phone };
    return { ...(await this.plant.person({ name, level, flags })), phone };
  }

  /** Opens an alarm at a new site, of which `people` are notified. Operators get access to the site. */
  async alarm(
    people: Technician[],
    {
      reasons = [],
      columns = {},
      linked = people,
    }: { reasons?: string[]; columns?: object; linked?: Technician[] } = {},
  ): Promise<{ station: Station; uuid: string }> {
    const { plant } = this;
    count += 1;
    // With a name of this length, the date does not fit into one SMS segment, but the line that tells how to answer does.
    const station = await plant.station({ name: `Mill ${String(count).padStart(4, '0')}` });
    for (const person of linked) {
      await plant.query(
        'insert into tocsin.site_user (tocsin_customer_uuid, tocsin_site_uuid, tocsin_user_uuid) values ($1, $2, $3)',
        [plant.customer.uuid, station.site.uuid, person.uuid],
      );
    }
    await plant.rule(station, { name: 'High level', ...columns });
    await plant.alert(station.site, 'High level', { alert: people, reasons });
    await plant.send(station, 120);
    await plant.settle();
    const [alarm] = await plant.open(station.site);
    return { station, uuid: alarm.uuid };
  }

  async stateOf(uuid: string): Promise<any> {
    const [alarm] = await this.plant.query(
      `select reason, acknowledge_text as note, acknowledge_json ->> 'name' as name, acknowledge_json ->> 'channel' as channel,
         resolved_date is not null as resolved, quiet_because as quiet, quiet_until as until from tocsin.alarm where uuid = $1`,
      [uuid],
    );
    return alarm;
  }

  /** Returns the confirmations to a number, oldest first. */
  async confirmations(phone: string): Promise<string[]> {
    const rows = await this.plant.query<{ text: string }>(
      `select notify_message as text from tocsin.notification where kind = 'confirmation' and address = $1 order by sequence_number`,
      [phone],
    );
    return rows.map(({ text }) => text);
  }

  /** Sends what Twilio sends when an SMS arrives. Returns the status. */
  async sms(
    from: string,
    text: string,
    { id = `SMin${++count}`, key = 'auth-token', port }: Call = {},
  ): Promise<number> {
    const form = new URLSearchParams({
      ...{ ToCountry: 'US', MessageSid: id, SmsMessageSid: id, SmsSid: id, NumMedia: '0', NumSegments: '1' },
      ...{
        AccountSid: 'AC0',
        ApiVersion: '2010-04-01',
        To: '+15005550006',
        From: from,
        Body: text,
        SmsStatus: 'received',
      },
    });
    const answer = await fetch(this.#at('inbound/twilio', port), {
      method: 'POST',
      headers: { 'x-twilio-signature': twilioSignature(key, `${PUBLIC}/api/v1/inbound/twilio`, form) },
      body: form,
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Sends what the WhatsApp Cloud API sends when a message arrives. Returns the status. */
  async whatsApp(
    from: string,
    text: string,
    more: Call & { quoted?: string; sentAt?: Date; phoneId?: string } = {},
  ): Promise<number> {
    const { id = `wamid.in${++count}`, key = 'app-secret', quoted, phoneId = PHONE_ID } = more;
    const { sentAt = this.plant.clock.now(), port } = more;
    const message = {
      ...{ from: from.replace('+', ''), id, type: 'text', text: { body: text } },
      timestamp: String(Math.floor(sentAt.getTime() / 1000)),
      ...(quoted && { context: { from: '16505553333', id: quoted } }),
    };
    const value = {
      ...{ messaging_product: 'whatsapp', contacts: [{ profile: { name: 'x' }, wa_id: message.from }] },
      ...{ metadata: { display_phone_number: '16505553333', phone_number_id: phoneId }, messages: [message] },
    };
    const entry = [{ id: '8856996819413533', changes: [{ value, field: 'messages' }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
    const answer = await fetch(this.#at('receipts/whatsapp', port), { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  #at(path: string, port = this.plant.app.port): string {
    return `http://127.0.0.1:${port}/api/v1/${path}`;
  }
}
