/** Answers that a custom SMS gateway delivers, sent over real HTTP. */
import { expect, test } from 'vitest';
import { gatewaySignature } from '../../server/sender/inbound/sms-gateway.ts';
import { linkUser } from '../harness/database/factories.ts';
import { startHttpReceiver } from '../harness/provider/http-receiver.ts';
import { Plant } from './plant.ts';

const secret = '0123456789abcdef';
const flags = {
  email_notification: false,
  whatsapp_notification: false,
  apps_notification: false,
  sms_notification: true,
};

test('takes answers that a gateway signs, and refuses forged, replayed and stale calls', async () => {
  const gateway = await startHttpReceiver();
  const plant = await Plant.start({
    publicUrl: 'https://tocsin.example',
    sms: {
      ...{ by: 'gateway', url: `${gateway.url}/send?to={to}&text={text}`, method: 'GET', body: undefined, headers: {} },
      ...{ success: undefined, id: undefined },
      inbound: { secret, proof: 'signature', id: 'id', from: 'from', text: 'text' },
    },
  });
  try {
    const anna = await plant.person({ name: 'Anna', flags: { ...flags, phone_number: '+44 7700 900001' } });
    // With a name of this length, the date does not fit into one SMS segment, but the line that tells how to answer does.
    const station = await plant.station({ name: 'Old Mill' });
    await linkUser(plant.db, anna, station.site);
    await plant.rule(station, { name: 'High level' });
    await plant.alert(station.site, 'High level', { alert: [anna] });
    await plant.send(station, 120);
    await plant.settle();
    expect(gateway.requests.at(-1)?.url.searchParams.get('text')).toMatch(/ 1=ack$/);

    const at = () => Math.floor(plant.clock.now().getTime() / 1000);
    const body = JSON.stringify({ id: 'in-1', from: '447700900001', text: '1' });
    const call = async (signature: string, sent = body) => {
      const headers = { 'content-type': 'application/json', 'x-tocsin-signature': signature };
      const url = `http://127.0.0.1:${plant.app.port}/api/v1/inbound/sms`;
      const answer = await fetch(url, { method: 'POST', headers, body: sent });
      return [answer.status, await answer.text()];
    };
    const state = async () =>
      (await plant.open(station.site)).map(({ reason, acknowledge_json: json }) => [reason, json?.channel ?? null]);

    const signature = gatewaySignature(secret, at(), body);
    expect((await call(gatewaySignature('another-secret-of-16', at(), body)))[0]).toBe(403);
    expect((await call(signature, body.replace('"1"', '"2 600"')))[0], 'with another text').toBe(403);
    plant.clock.advance(301_000);
    expect((await call(signature))[0], 'after five minutes').toBe(403);
    expect(await state()).toEqual([[null, null]]);

    expect(await call(gatewaySignature(secret, at(), body))).toEqual([204, '']);
    expect(await state()).toEqual([['Acknowledged by SMS', 'sms-answer']]);
    expect(await call(gatewaySignature(secret, at(), body)), 'replayed').toEqual([204, '']);
    await plant.settle();
    const confirmations = gateway.requests.filter(({ url }) =>
      url.searchParams.get('text')?.startsWith('Acknowledged'),
    );
    expect(confirmations).toHaveLength(1);
    expect(confirmations[0]?.url.searchParams.get('to')).toBe('+447700900001');
  } finally {
    await plant.close();
    await gateway.stop();
  }
});
