/**
 * Sends frames for some seconds, at the given rate or as fast as possible. Prints the number of acknowledged messages
 * as one JSON line. Runs as a separate process and writes directly to sockets, so that it is not the bottleneck.
 *
 *   node tools/bench/load.ts <plan.json> <batch|frame|mqtt> <seconds> <connections> [messages per second]
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import mqttPacket from 'mqtt-packet';

interface Plan {
  host: string;
  /** HTTP ports of the processes. */
  http: number[];
  mqtt: number;
  gateways: { uid: string; token: string; sensors: string[] }[];
  sensors: { uid: string; token: string }[];
  channels: number;
  /** Share of the readings that change a rule's state, because they leave the limits or return inside them. */
  changing?: number;
}

const [planFile = '', mode = 'batch', secondsText = '10', connectionsText = '16', rateText = '0'] =
  process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
const until = Date.now() + Number(secondsText) * 1000;
const rate = Number(rateText);
const took: number[] = [];
let readings = 0;
let messages = 0;
let failed = 0;
/**
 * Device time of the latest frame. Each frame has a later time than the one before, because frames with equal times
 * would be duplicates. All times are in the past.
 */
let tick = Date.now() - 120_000;

const plain = Array.from({ length: plan.channels }, (_, index) => `"${index + 1}":${(20 + index / 7).toFixed(3)}`);
const values = plain.join();
const changingFrames = ((plan.changing ?? 0) / 2) * plan.channels;
let made = 0;

/**
 * Returns the values of the next frame. Values outside the limits are spread across frames and channels, so that a
 * channel rarely has two of them in a row.
 */
function nextValues(): string {
  if (changingFrames === 0) return values;
  made += 1;
  const spread = Math.imul(made, 2_654_435_761) >>> 0;
  if (spread / 4_294_967_296 >= changingFrames) return values;
  const channel = made % plan.channels;
  return plain.with(channel, `"${channel + 1}":150`).join();
}

function batchBody(at: number): { path: string; token: string; body: string; readings: number } {
  const gateway = plan.gateways[at % plan.gateways.length] as Plan['gateways'][number];
  tick += 1;
  const frames = gateway.sensors.map((uid) => `{"uid":"${uid}","t":${tick},${nextValues()}}`).join();
  return {
    path: '/api/v1/ingest',
    token: gateway.token,
    body: `{"uid":"${gateway.uid}","frames":[${frames}]}`,
    readings: gateway.sensors.length * plan.channels,
  };
}

function frameBody(at: number): { path: string; token: string; body: string; readings: number } {
  const sensor = plan.sensors[at % plan.sensors.length] as Plan['sensors'][number];
  tick += 1;
  return {
    path: `/api/v1/ingest/${sensor.uid}`,
    token: sensor.token,
    body: `{"t":${tick},${nextValues()}}`,
    readings: plan.channels,
  };
}

/**
 * Returns the number of milliseconds that a connection must pause, so that all connections together do not exceed
 * `rate`.
 */
function pause(connections: number, began: number): number {
  return rate === 0 ? 0 : Math.max(0, (connections / rate) * 1000 - (performance.now() - began));
}

async function http(index: number, connections: number, make: typeof batchBody): Promise<void> {
  // Staggers the connections, so that they do not send at the same moment.
  if (rate > 0) await new Promise((resolve) => setTimeout(resolve, (index / rate) * 1000));
  const socket = connect(plan.http[index % plan.http.length] as number, plan.host);
  socket.setNoDelay(true);
  let answered: (text: string) => void = () => {};
  let buffer = '';
  socket.on('data', (chunk: Buffer) => {
    buffer += chunk.toString('latin1');
    const head = buffer.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(buffer)?.[1] ?? 0);
    if (buffer.length < head + 4 + length) return;
    const text = buffer;
    buffer = '';
    answered(text);
  });
  socket.on('error', () => answered('HTTP/1.1 000'));
  socket.on('close', () => answered('HTTP/1.1 000'));
  for (let at = index; Date.now() < until && !socket.destroyed; at += connections) {
    const { path, token, body, readings: count } = make(at);
    const began = performance.now();
    const answer = new Promise<string>((resolve) => {
      answered = resolve;
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const text = await answer;
    if (text.startsWith('HTTP/1.1 200')) {
      readings += count;
      messages += 1;
      took.push(performance.now() - began);
    } else {
      failed += 1;
      if (failed < 4) process.stderr.write(`${text.slice(0, 400)}\n`);
    }
    const wait = pause(connections, began);
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  socket.destroy();
}

const WINDOW = 16;

function mqtt(index: number, connections: number): Promise<void> {
  const sensor = plan.sensors[index % plan.sensors.length] as Plan['sensors'][number];
  const topic = `tocsin/${sensor.uid}/up`;
  return new Promise((resolve) => {
    const socket: Socket = connect(plan.mqtt, plan.host);
    socket.setNoDelay(true);
    const parser = mqttPacket.parser();
    const sent = new Map<number, number>();
    let id = 0;
    const publish = () => {
      id = (id % 65_000) + 1;
      tick += 1;
      sent.set(id, performance.now());
      socket.write(
        mqttPacket.generate({
          cmd: 'publish',
          topic,
          payload: `{"t":${tick},"1":${(20 + (id % 10)) / 2}}`,
          qos: 1,
          messageId: id,
          dup: false,
          retain: false,
        }),
      );
    };
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connack') {
        if ((packet as { returnCode?: number }).returnCode !== 0) {
          failed += 1;
          socket.destroy();
          return;
        }
        for (let count = 0; count < WINDOW; count += 1) publish();
      } else if (packet.cmd === 'puback') {
        const began = sent.get(packet.messageId as number) ?? 0;
        took.push(performance.now() - began);
        sent.delete(packet.messageId as number);
        readings += 1;
        messages += 1;
        if (Date.now() >= until) socket.destroy();
        else if (rate === 0) publish();
        else setTimeout(publish, pause(connections * WINDOW, began));
      }
    });
    socket.on('data', (chunk) => parser.parse(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.on('connect', () =>
      socket.write(
        mqttPacket.generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: `bench-${index}`,
          keepalive: 0,
          username: sensor.uid,
          password: Buffer.from(sensor.token),
        }),
      ),
    );
    setTimeout(() => socket.destroy(), until - Date.now() + 3000).unref();
  });
}

const connections = Number(connectionsText);
const began = performance.now();
await Promise.all(
  Array.from({ length: connections }, (_, index) =>
    mode === 'mqtt' ? mqtt(index, connections) : http(index, connections, mode === 'batch' ? batchBody : frameBody),
  ),
);
const seconds = (performance.now() - began) / 1000;
took.sort((a, b) => a - b);
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    readingsPerSecond: Math.round(readings / seconds),
    messagesPerSecond: Math.round(messages / seconds),
    readings,
    failed,
    p50Ms: Math.round((took[took.length >> 1] ?? 0) * 10) / 10,
    p99Ms: Math.round((took[Math.floor(took.length * 0.99)] ?? 0) * 10) / 10,
    loadCpuSeconds: Math.round((user + system) / 1e5) / 10,
  }),
);
process.exit(0);
