import { possibleUids, type SparkplugTopic } from '../../domain/sparkplug/topic.ts';
import type { Command, Device, Intake } from '../pipeline/intake.ts';
import type { Log } from '../platform/log.ts';

type Place = Pick<SparkplugTopic, 'group' | 'node' | 'device'>;

interface Surroundings {
  intake: Intake;
  log: Log;
  /** Returns whether the edge node has subscribed to commands for its devices. */
  hears: () => boolean;
  send: (place: Place, commands: Command[]) => void;
}

/**
 * Known devices of an edge node. The server can send commands to them immediately, without waiting for their next
 * message.
 */
export class DevicesBehind {
  readonly #node: Device;
  readonly #around: Surroundings;
  /** Topic parts of each sensor, keyed by sensor uuid. */
  readonly #places = new Map<string, Place>();
  readonly #stopListening: () => void;

  constructor(node: Device, around: Surroundings) {
    this.#node = node;
    this.#around = around;
    this.#stopListening = around.intake.onDeviceChange((sensorUuid) => void this.#changed(sensorUuid));
  }

  /** Remembers the device whose message was accepted, or forgets it after its death message. */
  async heard({ type, group, node, device }: SparkplugTopic): Promise<void> {
    const known = [...this.#places].find(([, place]) => place.device === device)?.[0];
    if (type === 'DDEATH') {
      if (known !== undefined) this.#places.delete(known);
    } else if (known === undefined) {
      const place = { group, node, device };
      const found = await this.#find(place);
      if (found) this.#places.set(found.sensorUuid, place);
    }
  }

  /** Sends all waiting commands. Called after the edge node has subscribed. */
  sendWaiting(): void {
    for (const sensorUuid of this.#places.keys()) void this.#changed(sensorUuid);
  }

  close(): void {
    this.#stopListening();
    this.#places.clear();
  }

  async #changed(sensorUuid: string): Promise<void> {
    const place = this.#places.get(sensorUuid);
    if (!place || !this.#around.hears()) return;
    const found = await this.#find(place);
    // The sensor may now belong to another edge node, or its uid to another sensor.
    if (found?.sensorUuid !== sensorUuid) {
      this.#places.delete(sensorUuid);
      return;
    }
    try {
      this.#around.send(place, await this.#around.intake.takeCommands(found));
    } catch (error) {
      this.#around.log.error('commands could not be sent', { protocol: 'mqtt', uid: found.uid, error });
    }
  }

  async #find(place: Place): Promise<Device | undefined> {
    try {
      return await this.#around.intake.deviceBehind(this.#node, possibleUids(place));
    } catch (error) {
      this.#around.log.warn('a device could not be looked up', { protocol: 'mqtt', uid: this.#node.uid, error });
      return undefined;
    }
  }
}
