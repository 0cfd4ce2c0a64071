import { serviceAccess } from '../access.ts';
import { type DeliverOptions, DestinationSender } from '../destination/deliver.ts';
import { queueDeliveries } from '../destination/queue.ts';
import type { EngineModule } from './engine.ts';

export interface DestinationOptions extends DeliverOptions {
  /** False while this process must not send, because its clock is wrong. */
  maySend?: () => boolean;
}

/** Makes deliveries of the events of alarms, and sends the deliveries that are due. */
export function destinations(options: DestinationOptions): EngineModule {
  const { db, clock, maySend = () => true } = options;
  const sender = new DestinationSender(options);
  return {
    name: 'destinations',
    every: 1000,
    wakeOn: 'tocsin_destination',
    async tick(now) {
      if (!maySend()) return;
      await db.transaction(serviceAccess(clock), (tx) => queueDeliveries(tx, now));
      await sender.fill();
    },
    settled: () => sender.settled(),
    stop: () => sender.stop(),
  };
}
