/** Third-party device clients connect to the running product. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { MOSQUITTO, MOSQUITTO_CLIENTS, type Mosquitto, startMosquitto } from '../harness/device/mosquitto.ts';
import { ensureAll } from '../harness/machine/debian.ts';
import { DevicesApp, type Running, run, watch } from './devices-app.ts';

const CURL = { binaries: ['curl'], package: 'curl' };
const NETCAT = { binaries: ['nc.openbsd', 'nc'], package: 'netcat-openbsd' };
const OPENSSL = { binaries: ['openssl'], package: 'openssl' };

const curl = await ensureAll(CURL);
const netcat = await ensureAll(NETCAT);
const clients = await ensureAll(MOSQUITTO_CLIENTS);
const broker = await ensureAll(MOSQUITTO, MOSQUITTO_CLIENTS);
const openssl = await ensureAll(OPENSSL, MOSQUITTO_CLIENTS);
for (const { missing } of [curl, netcat, clients, broker, openssl]) if (missing) console.warn(missing);

let devices: DevicesApp;
const folder = mkdtempSync(join(tmpdir(), 'tocsin-clients-'));

beforeAll(async () => {
  devices = await DevicesApp.start();
});
afterAll(async () => {
  await devices.close();
  await disposeTestDatabases();
  rmSync(folder, { recursive: true });
});

describe.skipIf(curl.missing)('curl', () => {
  const post = (uid: string, token: string, ...args: string[]) =>
    run('curl', [
      '-sS',
      '-w',
      '\n%{http_code}',
      '-H',
      `Authorization: Bearer ${token}`,
      ...args,
      `${devices.url}/${uid}`,
    ]);

  test('sends a frame, compressed or not, and gets a command and the refused values', async () => {
    const sensor = await devices.sensor();
    const id = await devices.queue(sensor, 'REBOOT');
    const { output } = await post(
      sensor.uid,
      sensor.token,
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"t": "2026-03-02T07:00:00Z", "1": 20.5, "99": 1}',
    );
    const [body = '', status] = output.split('\n');
    expect(status).toBe('200');
    expect(JSON.parse(body)).toMatchObject({
      accepted: 1,
      refused: [{ channel: '99', reason: 'unknown-channel' }],
      commands: [{ id, command: 'REBOOT' }],
    });
    const packed = join(folder, 'frame.gz');
    writeFileSync(packed, gzipSync('t=2026-03-02T07:01:00Z;1=21'));
    expect(
      (await post(sensor.uid, sensor.token, '-H', 'Content-Encoding: gzip', '--data-binary', `@${packed}`)).output,
    ).toMatch(/"accepted":1.*\n200$/s);
    const csv = [
      '-H',
      'Content-Type: text/csv',
      '--data-binary',
      'time,Level\n2026-03-02T07:02:00Z,22\n2026-03-02T07:03:00Z,23\n',
    ];
    expect((await post(sensor.uid, sensor.token, ...csv)).output).toMatch(/"accepted":2.*\n200$/s);
    expect((await devices.readings(sensor)).map(({ value }) => value)).toEqual([20.5, 21, 22, 23]);
  });

  test('sends frames of many sensors through a gateway sensor', async () => {
    const gateway = await devices.sensor();
    const behind = await devices.sensor({ columns: { tocsin_gateway_uuid: gateway.uuid } });
    const stranger = await devices.sensor();
    const frames = [gateway, behind, stranger].map(({ uid }, index) => ({ uid, t: '2026-03-02T07:00:00Z', 1: index }));
    const { output } = await run('curl', [
      '-sS',
      '-H',
      `Authorization: Bearer ${gateway.token}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify({ uid: gateway.uid, frames }),
      devices.url,
    ]);
    expect(JSON.parse(output)).toMatchObject({
      accepted: 2,
      results: [{ accepted: 1 }, { accepted: 1 }, { uid: stranger.uid, reason: 'foreign-uid' }],
    });
    expect(await devices.readings(behind)).toHaveLength(1);
    expect(await devices.readings(stranger)).toEqual([]);
  });

  test('gets a message about each mistake', async () => {
    const sensor = await devices.sensor();
    const large = join(folder, 'large');
    writeFileSync(large, 'x'.repeat(3_000_000));
    const status = async (...args: Parameters<typeof post>) => (await post(...args)).output.split('\n').at(-1);
    expect(await status('nobody', sensor.token, '-d', '1=1')).toBe('404');
    expect(await status(sensor.uid, 'guess', '-d', '1=1')).toBe('401');
    expect(await status(sensor.uid, sensor.token, '--data-binary', `@${large}`)).toBe('413');
    expect(
      await status(sensor.uid, sensor.token, '-H', 'Transfer-Encoding: chunked', '--data-binary', `@${large}`),
    ).toBe('413');
    expect(await status(sensor.uid, sensor.token, '-H', 'Content-Type: image/png', '-d', '1')).toBe('415');
    expect(await status(sensor.uid, sensor.token)).toBe('405');
    await devices.revoke(sensor);
    expect(await status(sensor.uid, sensor.token, '-d', '1=1')).toBe('401');
    expect(await devices.frames(sensor)).toEqual([]);
  });
});

describe.skipIf(netcat.missing)('netcat', () => {
  const say = (input: string | Buffer) => run('nc', ['-N', '-w', '10', '127.0.0.1', String(devices.tcpPort)], input);

  test('sends lines and gets a line for each, even for an incomplete last line, which is refused', async () => {
    const sensor = await devices.sensor();
    const id = await devices.queue(sensor, 'SET INTERVAL 5');
    const { output } = await say(
      `${sensor.uid} ${sensor.token}\r\nt=2026-03-02T07:00:00Z;1=1\r\n{\n{"t": "2026-03-02T07:01:00Z", "1": 2}\n1=3`,
    );
    const [hello, command, error, last, half] = output.split('\n');
    expect([hello, command, last]).toEqual(['OK', `CMD ${id} SET INTERVAL 5`, 'OK']);
    expect(half).toMatch(/^ERR half-a-line /);
    expect(error).toMatch(/^ERR not-json .*is in the sensor log\.$/);
    expect((await devices.readings(sensor)).map(({ value }) => value)).toEqual([1, 2]);
    expect((await devices.frames(sensor)).map(({ protocol }) => protocol)).toEqual(['tcp', 'tcp', 'tcp']);
  });

  test('gets a message about each mistake', async () => {
    const sensor = await devices.sensor();
    expect((await say('nobody secret 1=1\n')).output).toMatch(/^ERR unknown-uid .+\.\n$/);
    expect((await say(`${sensor.uid} guess 1=1\n${sensor.uid} ${sensor.token} 1=1\n`)).output).toMatch(
      /^ERR wrong-token .+\.\n$/,
    );
    expect((await say(`${sensor.uid} ${sensor.token} ${'x'.repeat(70_000)}\n`)).output).toMatch(
      /^ERR too-large .+\.\n$/,
    );
    await devices.disable(sensor);
    expect((await say(`${sensor.uid} ${sensor.token} 1=1\n`)).output).toMatch(/^ERR disabled .+\.\n$/);
  });
});

/** Returns the arguments that both Mosquitto clients share. */
const at = (port: number, uid: string, token: string) => [
  '-h',
  '127.0.0.1',
  '-p',
  String(port),
  '-u',
  uid,
  '-P',
  token,
];

async function listening(args: string[]): Promise<Running> {
  const listener = watch('mosquitto_sub', ['-d', '-v', ...args]);
  while (!listener.lines.some((line) => line.includes('SUBACK'))) await listener.hear(listener.lines.length + 1);
  return listener;
}

describe.skipIf(clients.missing)('mosquitto_pub and mosquitto_sub at the embedded broker', () => {
  test('send frames and receive commands', async () => {
    const sensor = await devices.sensor();
    const topic = `tocsin/${sensor.uid}/down`;
    const listener = await listening([...at(devices.mqttPort, sensor.uid, sensor.token), '-q', '1', '-t', topic]);
    const id = await devices.queue(sensor, 'REBOOT');
    const heard = async (text: string) => {
      while (!listener.lines.some((line) => line.includes(text))) await listener.hear(listener.lines.length + 1);
    };
    await heard(`${topic} {"id":${id},"command":"REBOOT"}`);
    const up = [...at(devices.mqttPort, sensor.uid, sensor.token), '-q', '1', '-t', `tocsin/${sensor.uid}/up`];
    const sent = await run('mosquitto_pub', [
      ...up,
      '-m',
      `{"t": "2026-03-02T07:00:00Z", "1": 20.5, "ack": ${id}, "reply": "done"}`,
    ]);
    expect(sent.code).toBe(0);
    expect((await devices.readings(sensor)).map(({ value }) => value)).toEqual([20.5]);
    const many = await run(
      'mosquitto_pub',
      [...up, '-l'],
      Array.from({ length: 200 }, (_, index) => `t=${1772430000 + index};2=${index}\n`).join(''),
    );
    expect(many.code).toBe(0);
    expect(await devices.readings(sensor)).toHaveLength(201);
    // A device is disconnected as soon as its token is revoked.
    await devices.revoke(sensor);
    await heard('Connection Refused');
    listener.stop();
    await listener.ended;
  });

  test('are refused other topics', async () => {
    const [mine, other] = [await devices.sensor(), await devices.sensor()];
    const publish = (args: string[]) => run('mosquitto_pub', ['-q', '1', '-m', '1=1', ...args]);
    const own = at(devices.mqttPort, mine.uid, mine.token);
    expect((await publish([...at(devices.mqttPort, mine.uid, 'guess'), '-t', `tocsin/${mine.uid}/up`])).errors).toMatch(
      /bad user name or password/,
    );
    expect(
      (await publish([...at(devices.mqttPort, mine.uid, other.token), '-t', `tocsin/${mine.uid}/up`])).code,
    ).not.toBe(0);
    expect((await publish([...own, '-V', '5', '-t', `tocsin/${mine.uid}/up`])).errors).toMatch(
      /unsupported protocol version/i,
    );
    expect((await publish([...own, '-c', '-i', 'kept', '-t', `tocsin/${mine.uid}/up`])).errors).toMatch(
      /identifier rejected/i,
    );
    const stolen = watch('mosquitto_pub', ['-d', '-q', '1', '-m', '1=1', ...own, '-t', `tocsin/${other.uid}/up`]);
    // The client logs the message before sending it, and sends it again after a disconnect. The test therefore polls
    // until the sensor log contains the frame.
    await expect
      .poll(() => devices.rejections(mine))
      .toContainEqual(expect.stringMatching(`It published to tocsin/${other.uid}/up.$`));
    stolen.stop();
    await stolen.ended;
    const listener = await listening([...own, '-t', `tocsin/${other.uid}/down`]);
    expect(listener.lines.join('\n')).toMatch(/Subscribed .*: 128|SUBACK/);
    const id = await devices.queue(other, 'SECRET');
    expect(
      (await publish([...at(devices.mqttPort, other.uid, other.token), '-t', `tocsin/${other.uid}/up`])).code,
    ).toBe(0);
    listener.stop();
    await listener.ended;
    expect(listener.lines.join('\n')).not.toContain(`"id":${id}`);
    expect(await devices.frames(mine)).toEqual([]);
    expect(await devices.readings(other)).toHaveLength(1);
    // The gateway refuses clients without telling them why, but stores the reasons in the sensor log. It stores them
    // after it has responded, so their order can vary.
    await expect
      .poll(async () => (await devices.rejections(mine)).sort())
      .toEqual([
        'MQTT 5 is not supported. Set the client to MQTT 3.1.1.',
        'Persistent sessions are not supported. Connect with a clean session.',
        `The token does not belong to the sensor ${mine.uid}.`,
        expect.stringMatching(`It published to tocsin/${other.uid}/up.$`),
        expect.stringMatching(`but not to tocsin/${other.uid}/down.$`),
      ]);
  });
});

describe.skipIf(openssl.missing)('mosquitto_pub over TLS', () => {
  test('reaches the embedded broker with its certificate, and not without TLS', async () => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost,IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    const secure = await DevicesApp.start({ mqttTls: { cert, key } });
    try {
      const sensor = await secure.sensor();
      const args = [
        '-q',
        '1',
        '-m',
        '1=1',
        '-t',
        `tocsin/${sensor.uid}/up`,
        ...at(secure.mqttPort, sensor.uid, sensor.token),
      ];
      expect(await run('mosquitto_pub', [...args, '--cafile', cert])).toMatchObject({ code: 0 });
      expect(await secure.readings(sensor)).toHaveLength(1);
      expect((await run('timeout', ['2', 'mosquitto_pub', ...args])).code).not.toBe(0);
    } finally {
      await secure.close();
    }
  });
});

describe.skipIf(broker.missing)('mosquitto_pub and mosquitto_sub through a Mosquitto broker', () => {
  let mosquitto: Mosquitto;
  let bridged: DevicesApp;

  beforeAll(async () => {
    mosquitto = await startMosquitto({ user: { name: 'tocsin', password: 'p@ss word' } });
    bridged = await DevicesApp.start({ mqttUrl: mosquitto.url });
  });
  afterAll(async () => {
    await bridged.close();
    await mosquitto.dispose();
  });

  test('send frames and receive commands, even after an outage of the broker', async () => {
    const sensor = await bridged.sensor();
    const login = at(mosquitto.port, 'tocsin', 'p@ss word');
    const up = ['-q', '1', '-t', `tocsin/${sensor.uid}/up`, ...login];
    let minute = 0;
    // The broker discards messages until the bridge has subscribed. The client therefore sends frames until a reading
    // is stored.
    const send = async () => {
      minute += 1;
      expect((await run('mosquitto_pub', [...up, '-m', `t=${1772400000 + 60 * minute};1=${minute}`])).code).toBe(0);
    };
    const stored = async () => (await bridged.readings(sensor)).map(({ value }) => value);
    while ((await stored()).length === 0) await send();
    const listener = await listening(['-q', '1', '-t', `tocsin/${sensor.uid}/down`, ...login]);
    const id = await bridged.queue(sensor, 'REBOOT');
    const line = `tocsin/${sensor.uid}/down {"id":${id},"command":"REBOOT"}`;
    while (!listener.lines.includes(line)) await listener.hear(listener.lines.length + 1);
    listener.stop();
    await listener.ended;
    await mosquitto.stop();
    await mosquitto.start();
    // The broker keeps the frame until the bridge has reconnected.
    await send();
    await expect.poll(stored).toContain(minute);
    expect((await bridged.frames(sensor)).every(({ protocol }) => protocol === 'mqtt')).toBe(true);
  });
});

test('a gateway starts without its external broker, opens no MQTT port and says that it is not connected', async () => {
  const alone = await DevicesApp.start({ mqttUrl: 'mqtt://127.0.0.1:1' });
  try {
    const { mqttPort, broker } = alone.app.gateway ?? {};
    expect(mqttPort).toBeUndefined();
    await expect
      .poll(() => broker?.state())
      .toEqual({ connected: false, holder: true, problem: expect.stringContaining('ECONNREFUSED') });
  } finally {
    await alone.close();
  }
});
