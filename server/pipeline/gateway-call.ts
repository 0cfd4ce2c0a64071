import type { Refusal } from './intake.ts';
import { foreign, unknownUid } from './refusals.ts';
import type { Registry } from './registry.ts';
import type { Sensor } from './sensor.ts';

/**
 * Returns the sensors whose frames the gateway sensor is allowed to send, keyed by uid: itself and the sensors assigned
 * to it.
 */
export async function sensorsBehind(
  registry: Registry,
  gateway: Sensor,
  uids: ReadonlySet<string>,
): Promise<Map<string, Sensor>> {
  const found = new Map<string, Sensor>();
  await Promise.all(
    [...uids].map(async (uid) => {
      const mine = (await registry.byUid(uid)).find(
        ({ uuid, gatewayUuid }) => uuid === gateway.uuid || gatewayUuid === gateway.uuid,
      );
      if (mine) found.set(uid, mine);
    }),
  );
  return found;
}

/**
 * Returns the first sensor with one of these uids whose frames the gateway sensor is allowed to send; undefined if
 * there is none.
 */
export async function firstBehind(
  registry: Registry,
  gateway: Sensor,
  uids: readonly string[],
): Promise<Sensor | undefined> {
  for (const uid of uids) {
    const sensor = (await sensorsBehind(registry, gateway, new Set([uid]))).get(uid);
    if (sensor) return sensor;
  }
  return undefined;
}

/**
 * Returns the refusal for uids whose frames the gateway sensor is not allowed to send. The refusal does not reveal
 * sensors of other customers.
 */
export async function notBehind(registry: Registry, gateway: Sensor, uids: readonly string[]): Promise<Refusal> {
  for (const uid of uids) {
    const sensors = await registry.byUid(uid);
    if (sensors.some(({ customerUuid }) => customerUuid === gateway.customerUuid)) return foreign(uid, gateway);
  }
  return unknownUid(uids[0] ?? '');
}
