/** Decides what a device may do on RabbitMQ. RabbitMQ asks for every new connection, queue and topic. */

/** The fields of RabbitMQ's authorization request that these functions use. */
export type BrokerFields = Readonly<Record<string, string | undefined>>;

export type BrokerAccess = { allowed: true } | { allowed: false; because: BrokerRefusal; sentence: string };

export type BrokerRefusal = 'client-id' | 'foreign-virtual-host' | 'foreign-resource' | 'foreign-topic';

const ALLOWED: BrokerAccess = { allowed: true };
/** RabbitMQ's exchange and queues for MQTT clients. The client id is part of the queue name. */
const MQTT_EXCHANGE = 'amq.topic';
const queueOf = (uid: string) => [`mqtt-subscription-${uid}qos0`, `mqtt-subscription-${uid}qos1`];

/**
 * A device must use its uid as MQTT client id. RabbitMQ derives queue names from the client id and closes an older
 * connection with the same id. With a different client id, a device could therefore disturb another device. Connections
 * with other protocols have no client id and are refused.
 */
export function mayConnect({ username = '', client_id }: BrokerFields): BrokerAccess {
  if (client_id === username) return ALLOWED;
  return refuse('client-id', `Connect over MQTT and use the uid of the device, ${username}, as the client id.`);
}

export function mayUseVirtualHost({ vhost }: BrokerFields, own: string): BrokerAccess {
  return vhost === own ? ALLOWED : refuse('foreign-virtual-host', `A device may use only the virtual host ${own}.`);
}

/** A device may use its own queues and the MQTT exchange. It is not allowed to configure the exchange. */
export function mayUseResource({ username = '', resource, name = '', permission }: BrokerFields): BrokerAccess {
  const own =
    resource === 'exchange'
      ? name === MQTT_EXCHANGE && permission !== 'configure'
      : resource === 'queue' && queueOf(username).includes(name);
  return own ? ALLOWED : refuse('foreign-resource', `A device may not use the ${resource} ${name.slice(0, 200)}.`);
}

/**
 * A device publishes to `tocsin/<uid>/up` and subscribes to `tocsin/<uid>/down`. In routing keys, RabbitMQ replaces
 * slashes with dots.
 */
export function mayUseTopic({ username = '', permission, routing_key = '' }: BrokerFields): BrokerAccess {
  const [verb, own] = permission === 'write' ? ['publish', `${username}.up`] : ['subscribe', `${username}.down`];
  if (routing_key === `tocsin.${own}`) return ALLOWED;
  const topic = `tocsin/${username}/${permission === 'write' ? 'up' : 'down'}`;
  return refuse('foreign-topic', `This device may ${verb} to ${topic}, but not to ${routing_key.slice(0, 200)}.`);
}

function refuse(because: BrokerRefusal, sentence: string): BrokerAccess {
  return { allowed: false, because, sentence };
}
