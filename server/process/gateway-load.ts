import type { LoadMeter, ProcessLoad } from './load.ts';

/** Load of the gateway. It is reported in addition to the load of the whole process. */
export interface GatewayLoad {
  /** Open connections of devices, by protocol. */
  connections: Record<string, number>;
  /** Number of deliveries waiting to be stored, and number of newest values and contacts waiting to be written. */
  waiting: { deliveries: number; newest: number };
  /** Connection to an external broker; undefined with the embedded broker. */
  broker: { name: string; connected: boolean; holder: boolean; problem: string } | undefined;
}

/**
 * Returns a meter that combines the load of the process with the load of the gateway. `read` returns undefined until
 * the gateway accepts connections.
 */
export function withGatewayLoad(
  meter: LoadMeter,
  read: () => GatewayLoad | undefined,
): LoadMeter & { measure(): Promise<ProcessLoad & Partial<GatewayLoad>> } {
  return {
    measure: async () => ({ ...(await meter.measure()), ...read() }),
    close: () => meter.close(),
  };
}
