import { expect, test } from 'vitest';
import { curlCommand, examplesFor, qrText, tokenHint } from './examples.ts';

const sent = { channel: 1, value: 20.5 };
const place = {
  origin: 'https://plant.example',
  hostname: 'plant.example',
  endpoints: { mqtt: { host: null, port: 1884, tls: false }, tcp: { port: 5056 } },
};

test('includes address, uid and token for every protocol', () => {
  const texts = examplesFor(place, { uid: 'pump-7', token: 'secret' }, sent).map(({ text }) => text);
  expect(texts[0]).toContain('Bearer secret');
  expect(texts[0]).toContain('https://plant.example/api/v1/ingest/pump-7');
  expect(texts[1]).toContain('-h plant.example -p 1884 -u pump-7 -P "secret"');
  expect(texts[1]).toContain('-t tocsin/pump-7/up');
  expect(texts[2]).toBe('echo "pump-7 secret 1=20.5" | nc -N plant.example 5056');
});

test('includes the host of an external broker, and the options for TLS', () => {
  const endpoints = { mqtt: { host: 'broker.example', port: 8883, tls: true }, tcp: null };
  const examples = examplesFor({ ...place, endpoints }, { uid: 'pump-7' }, sent);
  expect(examples).toHaveLength(2);
  expect(examples[1]?.text).toContain('-h broker.example -p 8883 --tls-use-os-certs');
});

test('uses a variable in place of a missing token', () => {
  expect(examplesFor(place, { uid: 'pump-7' }, sent)[2]?.text).toContain('pump-7 $TOKEN ');
});

test.each([
  [{ uid: 'pump-7', token: 'secret' }, ''],
  [{ uid: 'pump-7' }, 'Replace $TOKEN with the token of this sensor.'],
  [{ uid: 'pump-7', hasToken: false, gateway: 'gw-1' }, 'Replace $GATEWAY_TOKEN with the token of gw-1.'],
  [
    { uid: 'pump-7', gateway: 'gw-1' },
    'Replace $GATEWAY_TOKEN with the token of gw-1. Replace $TOKEN with the token of this sensor.',
  ],
])('explains the variables in the commands of %j', (device, words) => expect(tokenHint(device)).toBe(words));

test.each([
  ['auto', '-H "Content-Type: application/json" -d \'{"1": 20.5}\'', "'1=20.5'", '1=20.5'],
  ['json', '-H "Content-Type: application/json" -d \'{"1": 20.5}\'', '\'{"1": 20.5}\'', '{\\"1\\": 20.5}'],
  ['key-value', '-H "Content-Type: text/plain" -d \'1=20.5\'', "'1=20.5'", '1=20.5'],
  [
    ...(['csv', '-H "Content-Type: text/csv" -d "$(date -u +%FT%TZ),20.5"'] as const),
    ...(['"$(date -u +%FT%TZ),20.5"', '$(date -u +%FT%TZ),20.5'] as const),
  ],
])('writes commands in the sensor’s format %s', (format, curl, message, line) => {
  const texts = examplesFor(place, { uid: 'pump-7', token: 'secret', format }, sent).map(({ text }) => text);
  expect(texts[0]).toContain(curl);
  expect(texts[1]?.endsWith(`-m ${message}`)).toBe(true);
  expect(texts[2]).toBe(`echo "pump-7 secret ${line}" | nc -N plant.example 5056`);
  expect(curlCommand('https://plant.example', 'pump-7', { ...sent, channel: 3 }, { format: 'csv' })).toContain(
    '%TZ),,,20.5"',
  );
});

test("shows the gateway's example for a sensor behind it, and its own only with a token", () => {
  const examples = examplesFor(place, { uid: 'pump-7', gateway: 'gw-1' }, sent);
  expect(examples).toHaveLength(4);
  expect(examples[0]).toEqual({
    name: 'HTTP with curl, through the gateway gw-1 with its token',
    text: `curl -H "Authorization: Bearer $GATEWAY_TOKEN" -H "Content-Type: application/json" -d '{"frames": [{"uid": "pump-7", "1": 20.5}]}' https://plant.example/api/v1/ingest`,
  });
  expect(examplesFor(place, { uid: 'pump-7', gateway: 'gw-1', hasToken: false }, sent)).toEqual([examples[0]]);
});

test('encodes address, uid and token in the QR code', () => {
  expect(JSON.parse(qrText('https://plant.example', 'a:1', 'secret'))).toEqual({
    url: 'https://plant.example/api/v1/ingest/a%3A1',
    uid: 'a:1',
    token: 'secret',
  });
});
