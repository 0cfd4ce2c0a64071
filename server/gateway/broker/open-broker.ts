import { serviceAccess } from '../../access.ts';
import type { Intake } from '../../pipeline/intake.ts';
import { type Clock, randomUuid } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Lease } from '../../platform/lease.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { amqpAddressOf } from './amqp-address.ts';
import { AmqpConsumer } from './amqp-consumer.ts';
import type { Broker } from './broker.ts';
import { addressOf } from './mqtt-address.ts';
import { MqttBridge } from './mqtt-bridge.ts';

export interface BrokerOptions {
  db: Database;
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
}

/**
 * Opens the bridge to an MQTT broker, such as mqtts://user:password@broker.example.com. `?client=` sets the client id.
 * `?sparkplug=on` also accepts Sparkplug B. The process that holds the lease receives the broker's messages.
 */
export async function openMqttBridge(url: string, { db, ...options }: BrokerOptions): Promise<Broker> {
  const { clock, log } = options;
  const address = addressOf(url, await installationId(db, clock));
  const access = () => serviceAccess(clock);
  const lease = await Lease.start({ db, access, clock, log, name: `mqtt ${address.clientId}` });
  const bridge = new MqttBridge({ ...options, address, right: lease });
  return {
    state: () => bridge.state(),
    async close() {
      await bridge.close();
      await lease.close();
    },
  };
}

/** Connects to RabbitMQ, which distributes its messages across all processes. */
export function openAmqpConsumer(url: string, options: BrokerOptions): Broker {
  return new AmqpConsumer({ ...options, address: amqpAddressOf(url) });
}

/** Returns the id that distinguishes this installation from others on the same broker. Creates the id on first use. */
async function installationId(db: Database, clock: Clock): Promise<string> {
  return db.transaction(serviceAccess(clock), async (tx) => {
    await tx.query(
      `insert into tocsin_private.installation (name, value) values ('id', to_jsonb($1::text)) on conflict (name) do nothing`,
      [randomUuid()],
    );
    const { rows } = await tx.query<{ id: string }>(
      "select value #>> '{}' as id from tocsin_private.installation where name = 'id'",
    );
    return (rows[0] as { id: string }).id;
  });
}
