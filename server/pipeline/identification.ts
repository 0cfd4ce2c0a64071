import { timeText } from '../../domain/alarm/message.ts';
import type { Log } from '../platform/log.ts';
import type { Device, Refusal } from './intake.ts';
import { isOff } from './job.ts';
import { cannotLookUp, disabled, unknownUid } from './refusals.ts';
import { type Registry, tokenHash } from './registry.ts';
import type { Sensor } from './sensor.ts';

/** A device with the hash of its token. Every batch checks the token again. */
export interface KnownDevice extends Device {
  tokenHash?: string;
}

export type Identified = ({ ok: true } & Device) | Refusal;

export function deviceOf({ uuid: sensorUuid, customerUuid, uid }: Sensor): Device {
  return { sensorUuid, customerUuid, uid };
}

/** Identifies a device by uid and token, by token alone, or by uid through a trusted broker. */
export class Identification {
  readonly #registry: Registry;
  readonly #log: Log;

  constructor(registry: Registry, log: Log) {
    this.#registry = registry;
    this.#log = log;
  }

  byUidAndToken(uid: string, token: string): Promise<Identified> {
    return this.#readable(() => this.#byUidAndToken(uid, token));
  }

  async #byUidAndToken(uid: string, token: string): Promise<Identified> {
    const hash = tokenHash(token);
    let sensors: readonly Sensor[] = await this.#registry.byUid(uid);
    if (sensors.length === 0) return unknownUid(uid);
    let sensor = sensors.find(({ tokens }) => tokens.has(hash));
    if (!sensor) {
      sensors = (await Promise.all(sensors.map((one) => this.#registry.refresh(one)))).filter(
        (one) => one !== undefined,
      );
      sensor = sensors.find(({ tokens }) => tokens.has(hash));
    }
    if (!sensor) {
      return { ok: false, because: 'wrong-token', sentence: `The token does not belong to the sensor ${uid}.` };
    }
    // The user may have enabled the sensor after it was cached.
    if (isOff(sensor)) sensor = (await this.#registry.refresh(sensor)) ?? sensor;
    return this.#admit(sensor, hash);
  }

  byToken(token: string): Promise<Identified> {
    return this.#readable(async () => {
      const sensor = await this.#registry.byToken(token);
      if (!sensor) return { ok: false, because: 'wrong-token', sentence: 'The token is unknown.' };
      return this.#admit(sensor, tokenHash(token));
    });
  }

  byUid(uid: string): Promise<Identified> {
    return this.#readable(async () => {
      const sensors = await this.#registry.byUid(uid);
      if (sensors.length > 1) {
        // Several customers use this uid, and each sees this refusal in its sensor log. The text must not mention the
        // other customers.
        const sentence = `A broker cannot identify the sensor ${uid} by its uid alone. Give the sensor another uid, or send with its token by HTTP or TCP.`;
        return { ok: false, because: 'ambiguous-uid', sentence };
      }
      return sensors[0] ? this.#admit(sensors[0]) : unknownUid(uid);
    });
  }

  /** Runs `identify`. If the database fails, returns a refusal with a retry time. */
  async #readable(identify: () => Promise<Identified>): Promise<Identified> {
    try {
      return await identify();
    } catch (error) {
      this.#log.warn('a device could not be identified', { error: error as Error });
      return cannotLookUp;
    }
  }

  /** Reloads the sensor of an identified device if it is no longer in the cache. */
  async again({ sensorUuid, uid }: Device): Promise<Sensor | Refusal> {
    try {
      return (await this.#registry.byUuid(sensorUuid)) ?? unknownUid(uid);
    } catch (error) {
      this.#log.warn('a device could not be looked up', { error: error as Error });
      return cannotLookUp;
    }
  }

  #admit(sensor: Sensor, hash?: string): Identified {
    const revokedAt = hash === undefined ? undefined : sensor.tokens.get(hash)?.revokedAt;
    if (revokedAt) {
      const at = timeText(revokedAt, sensor.timeZone);
      const hasNew = [...sensor.tokens.values()].some((token) => !token.revokedAt);
      const sentence = hasNew
        ? `This token was revoked on ${at}. Give the device its new token.`
        : `This token was revoked on ${at}, and the sensor has no new one. Create one in the console.`;
      return { ok: false, because: 'revoked-token', sentence };
    }
    if (isOff(sensor)) return disabled(sensor);
    const known: KnownDevice = { ...deviceOf(sensor), ...(hash !== undefined && { tokenHash: hash }) };
    return { ok: true, ...known };
  }
}
