/** Starts Tocsin processes on known ports, so that a balancer can be placed in front of them. */
import type { DevicePorts } from '../device/steady-device.ts';
import { freePorts } from '../machine/ports.ts';
import { type Product, startProduct } from './product.ts';

export const METRICS_TOKEN = 'a-token-for-the-metrics';

export interface TocsinProcess {
  readonly ports: DevicePorts;
  readonly product: Product;
  /** Kills the process as kill -9 does. */
  kill(): Promise<void>;
}

/**
 * Starts the product, or the program in the folder `program`. Waits until the process responds to a request for the
 * path `first`.
 */
export async function startProcess(
  settings: Record<string, string>,
  first?: string,
  ports?: DevicePorts,
  program?: string,
): Promise<TocsinProcess> {
  const { web, mqtt, tcp } = ports ?? (await freeProcessPorts());
  const start = () =>
    startProduct(
      {
        ...{ TOCSIN_DEMO: 'off', TOCSIN_HOST: '127.0.0.1', TOCSIN_TRUST_PROXY: '127.0.0.1' },
        TOCSIN_METRICS_TOKEN: METRICS_TOKEN,
        ...settings,
        ...{ PORT: String(web), MQTT_PORT: String(mqtt), TCP_PORT: String(tcp) },
      },
      first,
      undefined,
      program,
    );
  const process: TocsinProcess = {
    ports: { web, mqtt, tcp },
    product: await start(),
    async kill() {
      await process.product.stop('SIGKILL');
    },
  };
  return process;
}

async function freeProcessPorts(): Promise<DevicePorts> {
  const [web, mqtt, tcp] = (await freePorts(3)) as [number, number, number];
  return { web, mqtt, tcp };
}

/** Returns the number of HTTP frames to which a process has responded. */
export async function httpFrames({ ports }: TocsinProcess): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${ports.web}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const lines = (await answer.text())
    .split('\n')
    .filter((line) => /^tocsin_frames_total\{.*protocol="http"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
