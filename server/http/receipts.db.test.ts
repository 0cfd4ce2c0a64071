import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/harness/server/app.ts';
import { readConfig } from '../config.ts';
import type { Log, LogData } from '../platform/log.ts';

const SECRET = '0123456789abcdef';
const lines: { sentence: string; data: LogData | undefined }[] = [];
const write = (sentence: string, data?: LogData) => void lines.push({ sentence, data });
const log: Log = { info: write, warn: write, error: write };
const { sms } = readConfig({
  TOCSIN_SMS_URL: 'https://sms.example/?to={to}&text={text}',
  TOCSIN_SMS_RECEIPT_SECRET: SECRET,
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ log, config: { sms } });
});
afterAll(() => app?.close());

test('responds to an unusable receipt as to any other, and logs its fault at most once a minute', async () => {
  const send = async (body: string) => {
    const answer = await fetch(`${app.url}/api/v1/receipts/sms/${SECRET}`, { method: 'POST', body });
    return [answer.status, await answer.text()];
  };
  const said = () => lines.splice(0).filter(({ sentence }) => sentence.startsWith('a receipt'));
  const unusable = (because: string) => ({
    sentence: 'a receipt could not be used',
    data: { provider: 'sms', because },
  });
  const noState = unusable('it has no value at status: check TOCSIN_SMS_RECEIPT_STATE');
  const bodies = [
    '{broken',
    'status=delivered',
    'id=4711',
    'id=4712',
    'id=4711&status=delivered',
    'id=1&status=queued',
  ];
  for (const body of bodies) expect(await send(body), body).toEqual([204, '']);
  expect(said()).toEqual([
    unusable('its body looks like JSON but is not valid'),
    unusable('it has no value at id: check TOCSIN_SMS_RECEIPT_ID'),
    noState,
    { sentence: 'a receipt arrived before its message was known', data: { provider: 'sms', because: undefined } },
  ]);
  app.clock.advance(60_000);
  await send('id=4713');
  expect(said()).toEqual([noState]);
});
