import type { DevicePlant } from '../../test/harness/device/device-plant.ts';
import type { SmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { signIn } from '../../test/harness/server/product.ts';
import { quantile } from './quantile.ts';

const MINUTE = 60_000;

const openAlarms = `{ alarms(first: 50, orderBy: [DATE_TIME_DESC], filter: { resolvedDate: { isNull: true } }) {
  totalCount nodes { uuid message siteName severity dateTime } } }`;
const messagesSince = `query ($since: Datetime!) {
  notifications(first: 1, filter: { messageType: { equalTo: 1 }, notifyTime: { greaterThan: $since } }) { totalCount } }`;

/** Maximum time from the last alarm to the last digest. */
const LAST_DIGEST_MS = 75_000;

/**
 * Moves every value outside its limits within a minute. Each value opens an alarm, of which the recipients are notified
 * separately or in a digest. Also measures API calls during this time.
 */
export async function storm({ url, plant, smtp }: { url: string; plant: DevicePlant; smtp: SmtpCatcher }) {
  const headers = await signIn(url, plant.owner.email, plant.owner.password);
  const ask = async (query: string, variables = {}): Promise<any> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data?: any; errors?: { message: string }[] };
    if (errors) throw new Error(errors[0]?.message);
    return data;
  };
  const since = new Date().toISOString();
  for (let round = 0; round < 5; round += 1) await ask(openAlarms);
  const wanted = plant.sensors.length * plant.channels;
  const values = Array.from({ length: plant.channels }, (_, index) => `"${index + 1}":150`).join();
  const answered: number[] = [];
  const began = performance.now();
  let storming = true;
  const watching = (async () => {
    while (storming) {
      const asked = performance.now();
      await ask(openAlarms);
      answered.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const sending: Promise<void>[] = [];
  let refused = 0;
  for (const [index, { uid, token }] of plant.sensors.entries()) {
    const wait = began + (index / plant.sensors.length) * MINUTE - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const sent = fetch(`${url}/api/v1/ingest/${uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: `{${values}}`,
    }).then(async (answer) => {
      await answer.arrayBuffer();
      if (answer.status !== 200) refused += 1;
    });
    sending.push(sent);
  }
  await Promise.all(sending);
  const alarmsAfter = performance.now() - began;
  const keys = () => new Set(smtp.messages.map(({ headers: lines }) => lines.get('message-id'))).size;
  let mailsAfter = alarmsAfter;
  for (let mails = keys(); performance.now() - began < Math.max(mailsAfter, alarmsAfter) + LAST_DIGEST_MS; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (keys() === mails) continue;
    mails = keys();
    mailsAfter = performance.now() - began;
  }
  storming = false;
  await watching;
  const { alarms } = await ask(openAlarms);
  const { notifications } = await ask(messagesSince, { since });
  return {
    alarms: alarms.totalCount,
    wanted,
    refused,
    messages: notifications.totalCount,
    mails: keys(),
    lastAlarmAfterSeconds: Math.round(alarmsAfter / 100) / 10,
    lastMailAfterSeconds: Math.round(mailsAfter / 100) / 10,
    api: {
      requests: answered.length,
      p50Ms: quantile(answered, 0.5),
      p95Ms: quantile(answered, 0.95),
      p99Ms: quantile(answered, 0.99),
    },
  };
}
