import type { Command, Device, Intake } from '../../pipeline/intake.ts';
import type { Log } from '../../platform/log.ts';

export interface HeardDevicesOptions {
  intake: Intake;
  log: Log;
  /** Maximum number of remembered devices. Above it, the device that sent least recently is removed. */
  most: number;
  /** Returns whether commands can be sent now. */
  connected: () => boolean;
  send: (uid: string, commands: Command[]) => void;
}

/**
 * Remembers the devices whose frames this process has received through a broker. Sends each new command to its device
 * immediately.
 */
export class HeardDevices {
  readonly #options: HeardDevicesOptions;
  readonly #uids = new Map<string, string>();
  readonly #stopListening: () => void;

  constructor(options: HeardDevicesOptions) {
    this.#options = options;
    this.#stopListening = options.intake.onDeviceChange((sensorUuid) => void this.#changed(sensorUuid));
  }

  add({ sensorUuid, uid }: Device): void {
    this.#uids.delete(sensorUuid);
    this.#uids.set(sensorUuid, uid);
    if (this.#uids.size <= this.#options.most) return;
    const [oldest] = this.#uids.keys();
    if (oldest !== undefined) this.#uids.delete(oldest);
  }

  /** Removes all devices. Called when another process may begin to receive their frames. */
  clear(): void {
    this.#uids.clear();
  }

  close(): void {
    this.#stopListening();
  }

  async #changed(sensorUuid: string): Promise<void> {
    const { intake, log, connected, send } = this.#options;
    const uid = this.#uids.get(sensorUuid);
    if (uid === undefined || !connected()) return;
    try {
      const who = await intake.identifyByUid(uid);
      if (who.ok && who.sensorUuid === sensorUuid) send(uid, await intake.takeCommands(who));
      else this.#uids.delete(sensorUuid);
    } catch (error) {
      log.error('commands could not be sent', { protocol: 'mqtt', uid, error });
    }
  }
}
