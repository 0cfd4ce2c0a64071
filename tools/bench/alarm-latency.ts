import type { AlarmProbe } from '../../test/harness/device/alarm-plant.ts';
import type { SmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { quantile } from './quantile.ts';

export interface AlarmLatencyOptions {
  url: string;
  probe: AlarmProbe;
  smtp: SmtpCatcher;
  seconds: number;
  /** Generates the background load. */
  load(seconds: number): Promise<{ readingsPerSecond: number }>;
}

const PROBE_EVERY_MS = 25;
/** The value that opened the latest alarm. Each alarm is opened by a different value, which identifies its mail. */
let value = 1000;

/**
 * Measures two durations under background load: from a reading outside the limits to the stored alarm, and from the
 * stored alarm to the mail server. The response to the device shows that the alarm is stored.
 */
export async function alarmLatency({ url, probe, smtp, seconds, load }: AlarmLatencyOptions) {
  const first = value + 1;
  const opened = new Map<number, number>();
  const toAlarm: number[] = [];
  const send = async (reading: number): Promise<number> => {
    const began = performance.now();
    const answer = await fetch(`${url}/api/v1/ingest/${probe.uid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
      body: `{"1":${reading}}`,
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The server responded to the probe with status ${answer.status}.`);
    return performance.now() - began;
  };
  const arrived = new Map<number, number>();
  let seen = smtp.messages.length;
  const look = () => {
    for (; seen < smtp.messages.length; seen += 1) {
      const mail = smtp.messages[seen];
      const said = Number(/: (\d{4,}),/.exec(mail?.text ?? '')?.[1]);
      // The mail can arrive before the device receives its response.
      if (!mail?.subject.startsWith('Resolved') && said >= first) arrived.set(said, performance.now());
    }
  };
  const looking = setInterval(look, 2);
  const loading = load(seconds);
  await send(50);
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    value += 1;
    toAlarm.push(await send(value));
    opened.set(value, performance.now());
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    await send(50);
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  const beside = await loading;
  const patience = performance.now() + 30_000;
  while (arrived.size < opened.size && performance.now() < patience)
    await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(looking);
  const toMail = [...arrived].map(([said, moment]) => Math.max(0, moment - (opened.get(said) as number)));
  return {
    alarms: opened.size,
    mails: arrived.size,
    besideReadingsPerSecond: beside.readingsPerSecond,
    readingToAlarm: { p50Ms: quantile(toAlarm, 0.5), p99Ms: quantile(toAlarm, 0.99) },
    alarmToMailServer: { p50Ms: quantile(toMail, 0.5), p99Ms: quantile(toMail, 0.99) },
  };
}
