import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes, type AuthenticateError, type Client, type PublishPacket } from 'aedes';
import { parseTopic } from '../../domain/sparkplug/topic.ts';
import type { Intake } from '../pipeline/intake.ts';
import type { Clock } from '../platform/clock.ts';
import { type Listening, listenOn } from '../platform/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countVisitor, meaningOf } from './answers.ts';
import { Complaints } from './complaints.ts';
import { MqttConnection, type Persistence } from './mqtt-connection.ts';
import { type MqttLimits, mqttLimits } from './mqtt-limits.ts';
import { Presence } from './presence.ts';

export interface MqttOptions extends Omit<Listening, 'setting'> {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  /** Certificate and key as text. TLS is on if they are set. */
  tls?: { cert: string | Buffer; key: string | Buffer };
  limits?: Partial<MqttLimits>;
}

export interface Listener {
  port: number;
  /** Number of open connections. */
  connections(): number;
  close(): Promise<void>;
}

/** Return codes of MQTT 3.1.1. */
const IDENTIFIER_REJECTED = 2;
const SERVER_UNAVAILABLE = 3;
const BAD_USER_OR_PASSWORD = 4;
const NOT_AUTHORIZED = 5;

/** CONNACK packet of MQTT 5 with the reason "Unsupported protocol version". */
const NOT_VERSION_5 = Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00]);

/**
 * Starts the embedded MQTT broker. It routes no messages between clients: frames go to the intake, and commands go only
 * to the device's own connection. Topics alone would not be safe, because different customers can use the same uid.
 */
export async function startMqtt(options: MqttOptions): Promise<Listener> {
  const { intake, log, metrics, clock } = options;
  const limits = { ...mqttLimits, ...options.limits };
  const presence = new Presence({ intake, log, mostOfDevice: limits.connectionsOfDevice });
  const complaints = new Complaints(log, intake, clock);
  const connections = new WeakMap<Client, MqttConnection>();
  const open = new Set<MqttConnection>();

  const broker = new Aedes({
    connectTimeout: limits.connectTimeoutMs,
    drainTimeout: 30_000,
    maxClientsIdLength: 256,
    preConnect(client, packet, done) {
      const connection = connections.get(client);
      if (!connection) return done(new Error('The connection has ended.'), false);
      connection.connect = packet;
      if (Number(packet.protocolVersion) !== 5) return done(null, true);
      countVisitor(metrics, 'mqtt', 'version-5');
      const who = { uid: packet.username ?? '' };
      complaints.say(who, 'version-5', 'MQTT 5 is not supported. Set the client to MQTT 3.1.1.');
      // An MQTT 5 client cannot read the broker's own refusal, so the server writes an MQTT 5 packet.
      connection.socket.write(NOT_VERSION_5, () => done(new Error('MQTT 5 is not supported.'), false));
    },
    authenticate(client, username, password, done) {
      const connection = connections.get(client);
      if (!connection) return done(refusal(NOT_AUTHORIZED, 'The connection has ended.'), false);
      signIn(client, connection, username, password).then(
        () => done(null, true),
        (error: AuthenticateError) => {
          if (error.returnCode === undefined) log.error('a device could not sign in', { protocol: 'mqtt', error });
          done(error.returnCode === undefined ? refusal(SERVER_UNAVAILABLE, error.message) : error, false);
        },
      );
    },
    // The broker acknowledges the message after the call of `done`, so `done` is called only after the frame is stored.
    authorizePublish(client, packet, done) {
      const connection = client && connections.get(client);
      if (!connection) return done(new Error('No device is signed in.'));
      connection.receive(packet, persistence(broker), done);
    },
    authorizeSubscribe(client, subscription, done) {
      const allowed = connections.get(client)?.maySubscribe(subscription.topic) ?? false;
      done(null, allowed ? subscription : null);
    },
    authorizeForward: (_client, packet) => packet,
  });
  routeNothing(broker);
  broker.on('error' as 'closed', ((error: Error) => log.error('the MQTT broker failed', { error })) as () => void);
  broker.on('subscribe', (subscriptions, client) => {
    const granted = subscriptions.filter(({ qos }) => Number(qos) !== 128);
    for (const { topic } of granted) connections.get(client)?.listen(topic, true);
  });
  broker.on('unsubscribe', (topics, client) => {
    for (const topic of topics) connections.get(client)?.listen(topic, false);
  });
  await broker.listen();

  async function signIn(client: Client, connection: MqttConnection, uid = '', password?: Buffer): Promise<void> {
    const token = password?.toString('utf8');
    const refuse = (code: number, because: string, sentence: string): never => {
      countVisitor(metrics, 'mqtt', because);
      complaints.say({ uid, ...(token && { token }) }, because, sentence);
      throw refusal(code, sentence);
    };
    if (!client.clean)
      refuse(
        IDENTIFIER_REJECTED,
        'persistent-session',
        'Persistent sessions are not supported. Connect with a clean session.',
      );
    if (uid === '' || token === undefined) {
      return refuse(
        BAD_USER_OR_PASSWORD,
        'no-token',
        'Use the uid of the device as user name and its token as password.',
      );
    }
    const will = connection.connect?.will;
    if (will && (will.retain || !mayLeaveWill(uid, will.topic))) {
      const sentence = `Publish the will to tocsin/${uid}/up or spBv1.0/<group>/NDEATH/${uid}, without the retain flag.`;
      refuse(NOT_AUTHORIZED, 'foreign-will', sentence);
    }
    const who = await intake.identify(uid, token);
    if (!who.ok) {
      const { kind, status } = meaningOf(who.because);
      const code = kind === 'later' ? SERVER_UNAVAILABLE : status === 403 ? NOT_AUTHORIZED : BAD_USER_OR_PASSWORD;
      return refuse(code, who.because, who.sentence);
    }
    // The broker disconnects a client if another client connects with the same id. The sensor's uuid as a prefix makes
    // the ids of different devices unique.
    client.id = `${who.sensorUuid} ${client.id}`;
    connection.enter(who, token);
    countVisitor(metrics, 'mqtt', 'signed-in');
  }

  const welcome = (socket: Socket) => {
    socket.setNoDelay(true);
    // Detects lost connections of clients that turned off MQTT keep-alive.
    socket.setKeepAlive(true, 60_000);
    const connection = new MqttConnection(socket, { intake, log, metrics, clock, presence, complaints, limits });
    const client = broker.handle(socket);
    connection.client = client;
    connections.set(client, connection);
    open.add(connection);
    socket.once('close', () => {
      connection.leave();
      open.delete(connection);
    });
  };
  const server: Server = options.tls
    ? createTlsServer({ ...options.tls, handshakeTimeout: limits.connectTimeoutMs }, welcome)
    : createServer(welcome);
  server.maxConnections = limits.connections;
  server.on('drop', () => countVisitor(metrics, 'mqtt', 'too-many'));
  server.on('tlsClientError', () => countVisitor(metrics, 'mqtt', 'no-tls'));
  const port = await listenOn(server, { ...options, setting: 'MQTT_PORT' });
  server.on('error', (error) => log.error('the MQTT port failed', { error }));

  return {
    port,
    connections: () => open.size,
    async close() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      presence.close();
      await MqttConnection.finishAll([...open], limits.closeTimeoutMs);
      await new Promise<void>((resolve) => broker.close(() => resolve()));
      for (const { socket } of open) socket.destroy();
      await stopped;
    },
  };
}

function mayLeaveWill(uid: string, topic: string): boolean {
  const sparkplug = parseTopic(topic);
  return topic === `tocsin/${uid}/up` || (sparkplug?.type === 'NDEATH' && sparkplug.node === uid);
}

function refusal(returnCode: number, sentence: string): AuthenticateError {
  return Object.assign(new Error(sentence), { returnCode }) as AuthenticateError;
}

function persistence(broker: Aedes): Persistence {
  return (broker as unknown as { persistence: Persistence }).persistence;
}

/** Prevents the broker from routing messages of clients. Only its internal messages are routed. */
function routeNothing(broker: Aedes): void {
  type Done = () => void;
  const publish = broker.publish.bind(broker) as (packet: PublishPacket, done?: Done) => void;
  broker.publish = ((packet: PublishPacket, client: Client | Done | null, done?: Done) => {
    if (client && typeof client !== 'function') return done?.();
    publish(packet, typeof client === 'function' ? client : done);
  }) as typeof broker.publish;
}
