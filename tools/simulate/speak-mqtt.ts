import { connect, type MqttClient } from 'mqtt';
import { failed, type Outcome, type Speaker, type SpeakerOptions, TIMEOUT_MS } from './speaker.ts';

/** Return codes that say that this device may not sign in: wrong user or password, which are not told apart, and not authorised. */
const BAD_TOKEN = 4;
const BARRED = [BAD_TOKEN, 5];

/** A device that stays connected, publishes with QoS 1 and listens for its commands. */
export function speakMqtt({ uid, token, address, onCommand, timeoutMs = TIMEOUT_MS }: SpeakerOptions): Speaker {
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
        // Whoever sends decides when to try again.
        reconnectPeriod: 0,
      });
      const opening = client;
      const timer = setTimeout(() => fail(new Error('The server does not answer.')), timeoutMs);
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

/** Resolves with the acknowledgement. A connection that ends before it leaves the frame unsent, as far as anybody knows. */
function publish(client: MqttClient, topic: string, body: Buffer, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = () => settle(new Error('The server closed the connection.'));
    const timer = setTimeout(() => settle(new Error('The server does not answer.')), timeoutMs);
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
