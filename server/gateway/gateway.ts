import { readFileSync } from 'node:fs';
import type { Intake } from '../pipeline/intake.ts';
import type { Clock } from '../platform/clock.ts';
import type { Port } from '../platform/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { StartError } from '../platform/start-error.ts';
import type { Broker } from './broker/broker.ts';
import { startMqtt } from './mqtt.ts';
import { startTcp } from './tcp.ts';

export interface GatewayOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  host: string;
  tcpPort: Port;
  mqttPort: Port;
  /** Opens the connection to an external broker, which replaces the embedded broker. */
  openBroker?: (() => Promise<Broker>) | undefined;
  /** Certificate and key files of the embedded broker. */
  mqttTls?: { cert: string; key: string } | undefined;
}

export interface Gateway {
  tcpPort: number;
  /** Port of the embedded broker; undefined with an external broker. */
  mqttPort: number | undefined;
  /** Connection to the external broker; undefined with the embedded broker. */
  broker: Broker | undefined;
  /** Number of open connections of devices. HTTP is not counted, because its requests are independent of each other. */
  connections(): { mqtt?: number; tcp: number };
  close(): Promise<void>;
}

/** Opens the MQTT and TCP ports. HTTP uses the port of the API. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { intake, log, metrics, clock, host } = options;
  const tcp = await startTcp({ intake, log, metrics, host, port: options.tcpPort });
  try {
    const broker = await options.openBroker?.();
    const mqtt = broker
      ? undefined
      : await startMqtt({ intake, log, metrics, clock, host, port: options.mqttPort, tls: readTls(options.mqttTls) });
    return {
      tcpPort: tcp.port,
      mqttPort: mqtt?.port,
      broker,
      connections: () => ({ ...(mqtt && { mqtt: mqtt.connections() }), tcp: tcp.connections() }),
      close: async () => {
        await Promise.all([tcp.close(), mqtt?.close(), broker?.close()]);
      },
    };
  } catch (error) {
    await tcp.close();
    throw error;
  }
}

function readTls(files: GatewayOptions['mqttTls']): { cert: Buffer; key: Buffer } | undefined {
  if (!files) return undefined;
  const read = (setting: string, file: string) => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new StartError(
        `Cannot read ${file}, the file specified in ${setting} (${(error as NodeJS.ErrnoException).code}).`,
      );
    }
  };
  return { cert: read('TOCSIN_MQTT_TLS_CERT', files.cert), key: read('TOCSIN_MQTT_TLS_KEY', files.key) };
}
