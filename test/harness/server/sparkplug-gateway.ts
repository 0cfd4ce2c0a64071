import { afterEach, beforeEach } from 'vitest';
import { type Listener, startMqtt } from '../../../server/gateway/mqtt.ts';
import { HandClock } from '../../../server/platform/clock.ts';
import { silentLog } from '../../../server/platform/log.ts';
import { createMetrics, type Metrics } from '../../../server/platform/metrics.ts';
import { EdgeNode, type EdgeNodeOptions, type SentMetric } from '../device/sparkplug.ts';
import { MemoryIntake } from './memory-intake.ts';
import { countOf } from './metrics.ts';

export const TIME = Date.UTC(2026, 2, 4, 8);
export const level: SentMetric = { name: 'Level', alias: 1, type: 'Double', value: 20.5 };
export const later: SentMetric = { alias: 1, type: 'Double', value: 21, untyped: true };

/**
 * Returns a test bench for Sparkplug B. Its in-memory intake accepts the gateway sensor edge-1 and the sensor pump-7,
 * whose frames edge-1 forwards.
 */
export function testSparkplugGateway(): SparkplugBench {
  const bench = new SparkplugBench();
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());
  return bench;
}

class SparkplugBench {
  clock!: HandClock;
  intake!: MemoryIntake;
  metrics!: Metrics;
  listener!: Listener;
  readonly #nodes: EdgeNode[] = [];

  async begin(): Promise<void> {
    this.clock = new HandClock(new Date(TIME));
    this.intake = new MemoryIntake();
    this.intake.add('edge-1');
    this.intake.add('pump-7').gateway = 'edge-1';
    this.metrics = createMetrics();
    const { clock, intake, metrics } = this;
    const port = { number: 0, fixed: true } as const;
    this.listener = await startMqtt({ intake, log: silentLog, metrics, clock, host: '127.0.0.1', port });
  }

  async end(): Promise<void> {
    for (const node of this.#nodes.splice(0)) node.end();
    await this.listener.close();
  }

  connect = async (options: Partial<EdgeNodeOptions> = {}): Promise<EdgeNode> => {
    const url = `mqtt://127.0.0.1:${this.listener.port}`;
    const node = await EdgeNode.connect(url, { uid: 'edge-1', token: 'token-of-edge-1', ...options });
    this.#nodes.push(node);
    return node;
  };

  kept = () => this.intake.frames.map(({ device: { uid }, text }) => ({ uid, ...JSON.parse(text) }));

  counted = (outcome: string): Promise<number> => countOf(this.metrics, { outcome });
}
