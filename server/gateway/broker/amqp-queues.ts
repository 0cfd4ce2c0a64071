import type { Channel } from 'amqplib';

/** The exchange to which RabbitMQ publishes the messages of MQTT clients. */
export const MQTT_EXCHANGE = 'amq.topic';
const HASH_EXCHANGE = 'tocsin.up';
const UP = /^tocsin\.(.+)\.up$/s;

/**
 * Declares the exchange and the queues. The exchange hashes the routing key, which contains the uid, so all messages of
 * a sensor go to one queue. Each queue has only one active consumer, so the messages of a sensor stay in order.
 */
export async function declareQueues(channel: Channel, count: number): Promise<string[]> {
  await channel.assertExchange(HASH_EXCHANGE, 'x-consistent-hash', { durable: true });
  const queues = Array.from({ length: count }, (_, index) => `${HASH_EXCHANGE}.${index + 1}`);
  for (const queue of queues) {
    await channel.assertQueue(queue, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-single-active-consumer': true },
    });
    // The binding key of this exchange type is the weight of the queue.
    await channel.bindQueue(queue, HASH_EXCHANGE, '1');
  }
  // This exchange is bound last, so that the queues exist before the first message arrives. `#` also matches a uid that
  // contains dots.
  await channel.bindExchange(HASH_EXCHANGE, MQTT_EXCHANGE, 'tocsin.#.up');
  return queues;
}

/** Returns the uid in the routing key of a message; undefined if the key does not come from a sensor's topic. */
export function uidOf(routingKey: string): string | undefined {
  return UP.exec(routingKey)?.[1];
}

/** Returns the routing key of commands to a device. RabbitMQ translates it to the topic `tocsin/<uid>/down`. */
export function commandKey(uid: string): string {
  return `tocsin.${uid}.down`;
}
