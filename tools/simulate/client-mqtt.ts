import { connect, type MqttClient } from 'mqtt';
import { type DeviceClient, type DeviceClientOptions, failed, type Outcome, TIMEOUT_MS } from './client.ts';

/** CONNACK codes for a refused sign-in: 4 for a bad user name or password, 5 for missing authorisation. */
const BAD_TOKEN = 4;
const BARRED = [BAD_TOKEN, 5];

/** Creates a device that stays connected, publishes with QoS 1 and subscribes to its commands. */
export function createMqttClient({
  uid,
  token,
  address,
  onCommand,
  timeoutMs = TIMEOUT_MS,
}: DeviceClientOptions): DeviceClient {
  let client: MqttClient | undefined;

  const open = () =>
    new Promise<void>((resolve, reject) => {
      client = connect(address.href, {
        username: uid,
        password: token,
        clientId: `simulated-${uid}`,
        clean: true,
        keepalive: 60,
        connectTimeout: timeoutMs,
        // The client does not reconnect by itself, because the frame queue retries.
        reconnectPeriod: 0,
      });
      const opening = client;
      const timer = setTimeout(() => fail(new Error('The server is not responding.')), timeoutMs);
      const fail = (error: unknown) => {
        clearTimeout(timer);
        opening.end(true);
        reject(error);
      };
      opening.on('error', fail);
      opening.once('close', () => fail(new Error('The server closed the connection.')));
      opening.on('message', (_topic, payload) => {
        const command = commandOf(payload);
        if (command) {
          onCommand(command);
        }
      });
      opening.once('connect', () => {
        opening.subscribeAsync(`tocsin/${uid}/down`, { qos: 1 }).then(() => {
          clearTimeout(timer);
          resolve();
        }, fail);
      });
    });

  return {
    async send(body) {
      try {
        if (!client?.connected) {
          await open();
        }
        await publish(client as MqttClient, `tocsin/${uid}/up`, Buffer.from(body), timeoutMs);
        return { kind: 'accepted', commands: [] };
      } catch (error) {
        client?.end(true);
        client = undefined;
        return outcomeOfError(error);
      }
    },
    async close() {
      await client?.endAsync(true);
    },
  };
}

/** Resolves on PUBACK. Rejects if the connection ends first. */
function publish(client: MqttClient, topic: string, body: Buffer, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = () => settle(new Error('The server closed the connection.'));
    const timer = setTimeout(() => settle(new Error('The server is not responding.')), timeoutMs);
    const settle = (error?: Error | null) => {
      clearTimeout(timer);
      client.off('close', closed);
      if (error) {
        reject(error);
      } else {
        resolve();
      }
    };
    client.once('close', closed);
    client.publish(topic, body, { qos: 1 }, settle);
  });
}

function outcomeOfError(error: unknown): Outcome {
  const { code, message } = error as { code?: unknown; message?: string };
  if (!BARRED.includes(code as number)) return failed(error);
  return { kind: 'barred', because: message ?? 'not authorised', badToken: code === BAD_TOKEN };
}

function commandOf(payload: Buffer): { id: number; text: string } | undefined {
  try {
    const { id, command } = JSON.parse(payload.toString('utf8'));
    return Number.isSafeInteger(id) && typeof command === 'string' ? { id, text: command } : undefined;
  } catch {
    return undefined;
  }
}
