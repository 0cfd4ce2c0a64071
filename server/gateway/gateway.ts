import { readFileSync } from 'node:fs';
import type { Intake } from '../pipeline/intake.ts';
import type { Clock } from '../platform/clock.ts';
import type { Port } from '../platform/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { StartError } from '../platform/start-error.ts';
import { startMqtt } from './mqtt.ts';
import type { MqttBridge, MqttBridgeOptions } from './mqtt-bridge.ts';
import { startTcp } from './tcp.ts';

export interface GatewayOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  host: string;
  tcpPort: Port;
  mqttPort: Port;
  /** URL of an external broker that replaces the embedded broker. */
  mqttUrl?: string | undefined;
  /** Certificate and key files of the embedded broker. */
  mqttTls?: { cert: string; key: string } | undefined;
}

export interface Gateway {
  tcpPort: number;
  /** Port of the embedded broker; undefined with an external broker. */
  mqttPort: number | undefined;
  /** Returns why devices cannot reach this process through the external broker; undefined if they can. */
  brokerProblem(): string | undefined;
  close(): Promise<void>;
}

/** Opens the MQTT and TCP ports. HTTP uses the port of the API. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { intake, log, metrics, clock, host, mqttUrl } = options;
  const tcp = await startTcp({ intake, log, metrics, host, port: options.tcpPort });
  try {
    const mqtt: { port?: number; problem?(): string | undefined; close(): Promise<void> } = mqttUrl
      ? await startBridge({ intake, log, metrics, clock, url: mqttUrl })
      : await startMqtt({ intake, log, metrics, clock, host, port: options.mqttPort, tls: readTls(options.mqttTls) });
    return {
      tcpPort: tcp.port,
      mqttPort: mqtt.port,
      brokerProblem: () => mqtt.problem?.(),
      close: async () => {
        await Promise.all([tcp.close(), mqtt.close()]);
      },
    };
  } catch (error) {
    await tcp.close();
    throw error;
  }
}

/** Imports the bridge on demand, because the MQTT client is a large package. */
async function startBridge(options: MqttBridgeOptions): Promise<MqttBridge> {
  const { startMqttBridge } = await import('./mqtt-bridge.ts');
  return startMqttBridge(options);
}

function readTls(files: GatewayOptions['mqttTls']): { cert: Buffer; key: Buffer } | undefined {
  if (!files) return undefined;
  const read = (setting: string, file: string) => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new StartError(
        `${setting} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      );
    }
  };
  return { cert: read('TOCSIN_MQTT_TLS_CERT', files.cert), key: read('TOCSIN_MQTT_TLS_KEY', files.key) };
}
