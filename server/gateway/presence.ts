import type { Device, Intake, Refusal } from '../pipeline/intake.ts';
import type { Log } from '../platform/log.ts';
import { meaningOf } from './answers.ts';

/** A connection of a signed-in device. */
export interface Visitor {
  device: Device;
  token: string;
  /** Closes the connection because the device was refused or has too many connections. */
  leave(why: Refusal | 'replaced'): void;
  /** Called when the device's sensor has changed, for example when a command was queued. */
  changed?(): void;
}

const ASK_AGAIN_MS = 5000;

/**
 * Open connections of signed-in devices, by sensor. When a sensor changes, the token of each of its connections is
 * checked again. A connection with an invalid token is closed.
 */
export class Presence {
  readonly #intake: Intake;
  readonly #log: Log;
  readonly #mostOfDevice: number;
  readonly #visitors = new Map<string, Set<Visitor>>();
  readonly #checking = new Map<Visitor, 'once' | 'again'>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stopListening: () => void;

  constructor(options: { intake: Intake; log: Log; mostOfDevice: number }) {
    this.#intake = options.intake;
    this.#log = options.log;
    this.#mostOfDevice = options.mostOfDevice;
    this.#stopListening = options.intake.onDeviceChange((sensorUuid) => {
      for (const visitor of this.#visitors.get(sensorUuid) ?? []) void this.#check(visitor);
    });
  }

  /**
   * Adds a connection. Above the limit, closes the sensor's oldest connection, because after a network failure a device
   * reconnects before its old connection times out.
   */
  add(visitor: Visitor): void {
    const { sensorUuid } = visitor.device;
    const all = this.#visitors.get(sensorUuid) ?? new Set();
    this.#visitors.set(sensorUuid, all);
    all.add(visitor);
    if (all.size <= this.#mostOfDevice) return;
    const [oldest] = all;
    if (!oldest) return;
    this.remove(oldest);
    oldest.leave('replaced');
  }

  remove(visitor: Visitor): void {
    const all = this.#visitors.get(visitor.device.sensorUuid);
    all?.delete(visitor);
    if (all?.size === 0) this.#visitors.delete(visitor.device.sensorUuid);
  }

  close(): void {
    this.#stopListening();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#visitors.clear();
  }

  /** Checks the token of a connection. If the sensor changes during the check, checks again. */
  async #check(visitor: Visitor): Promise<void> {
    if (this.#checking.has(visitor)) {
      this.#checking.set(visitor, 'again');
      return;
    }
    do {
      this.#checking.set(visitor, 'once');
      await this.#showToken(visitor);
    } while (this.#checking.get(visitor) === 'again' && this.#isHere(visitor));
    this.#checking.delete(visitor);
  }

  async #showToken(visitor: Visitor): Promise<void> {
    try {
      const { device, token } = visitor;
      const who = await this.#intake.identify(device.uid, token);
      if (!this.#isHere(visitor)) return;
      if (who.ok && who.sensorUuid === device.sensorUuid) return visitor.changed?.();
      if (!who.ok && meaningOf(who.because).kind === 'later') return this.#askAgain(visitor);
      this.remove(visitor);
      visitor.leave(
        who.ok ? { ok: false, because: 'unknown-uid', sentence: 'This uid now belongs to another sensor.' } : who,
      );
    } catch (error) {
      this.#log.error('a connected device could not be checked again', { uid: visitor.device.uid, error });
      this.#askAgain(visitor);
    }
  }

  /** Retries a failed check later, so that a connection with a revoked token does not stay open. */
  #askAgain(visitor: Visitor): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#isHere(visitor)) void this.#check(visitor);
    }, ASK_AGAIN_MS);
    timer.unref();
    this.#timers.add(timer);
  }

  #isHere(visitor: Visitor): boolean {
    return this.#visitors.get(visitor.device.sensorUuid)?.has(visitor) ?? false;
  }
}
