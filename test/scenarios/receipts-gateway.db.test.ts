/** Delivery receipts from a custom SMS gateway, sent over real HTTP. */
import { expect, test } from 'vitest';
import { startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { Plant } from './plant.ts';

const PUBLIC = 'https://tocsin.example';
const flags = { email_notification: false, whatsapp_notification: false, apps_notification: false };

test('accepts receipts of an SMS gateway at its secret address', async () => {
  const gateway = await startHttpReceiver();
  gateway.always({ body: { id: 4711 } });
  const secret = '0123456789abcdef-_XYZ';
  const receipts = { secret, id: 'id', state: 'status', reason: 'why', delivered: ['delivrd'], failed: ['undeliv'] };
  const own = await Plant.start({
    publicUrl: PUBLIC,
    sms: {
      ...{ by: 'gateway', url: `${gateway.url}/send?to={to}&text={text}&report={receipt}`, method: 'GET' },
      ...{ body: undefined, headers: {}, success: undefined, id: 'id', receipts },
    },
  });
  try {
    const manager = await own.person({
      level: 5,
      flags: { ...flags, sms_notification: true, phone_number: '+44 7700 900003' },
    });
    const browser = await own.browser(manager);
    await browser.data(
      'mutation ($u: UUID!) { sendTestMessage(input: { tocsinUserUuid: $u, methodType: 3 }) { notificationUuid } }',
      {
        u: manager.uuid,
      },
    );
    await own.settle();
    const address = `http://127.0.0.1:${own.app.port}/api/v1/receipts/sms`;
    expect(gateway.requests[0]?.url.searchParams.get('report')).toBe(`${PUBLIC}/api/v1/receipts/sms/${secret}`);
    const state = async () => (await own.query('select state, provider_answer from tocsin.notification'))[0];
    expect((await fetch(`${address}/0123456789abcdef-_XYz?id=4711&status=DELIVRD`)).status).toBe(403);
    expect((await fetch(`${address}/${secret}?id=4711&status=ACCEPTD`)).status).toBe(204);
    expect(await state()).toMatchObject({ state: 'sent' });
    await fetch(`${address}/${secret}`, {
      method: 'POST',
      body: JSON.stringify({ id: 4711, status: 'UNDELIV', why: 'no such number' }),
    });
    expect(await state()).toEqual({
      state: 'failed',
      provider_answer: 'The SMS gateway could not deliver the message (UNDELIV). no such number',
    });
    expect((await fetch(`${address}/${secret}?id=4711&status=DELIVRD`)).status).toBe(204);
    expect(await state()).toEqual({ state: 'delivered', provider_answer: 'DELIVRD' });
    const { senderStates } = await browser.data('{ senderStates { nodes { name receiptAddress } } }');
    expect(senderStates.nodes[2]).toEqual({ name: 'sms', receiptAddress: `${PUBLIC}/api/v1/receipts/sms/` });
  } finally {
    await own.close();
    await gateway.stop();
  }
});
