import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../platform/clock.ts';
import type { Metrics } from '../platform/metrics.ts';

/** Resource usage and frame rates of a process since its last heartbeat. */
export interface ProcessLoad {
  /** Processor time in percent of one core. */
  cpuPercent: number;
  memoryBytes: number;
  /** 99th percentile of the event loop delay. */
  eventLoopDelayMs: number;
  /**
   * Number of stored frames per second, by protocol: http, mqtt, tcp. Leaves out protocols without frames since the
   * start.
   */
  framesPerSecond: Record<string, number>;
  /** Number of refused frames per second, by protocol. */
  refusedPerSecond: Record<string, number>;
}

export interface LoadMeter {
  /** Returns the load since the last call of this method. */
  measure(): Promise<ProcessLoad>;
  close(): void;
}

export function measureLoad({ clock, metrics }: { clock: Clock; metrics: Metrics }): LoadMeter {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let measuredAt = clock.now().getTime();
  let usage = process.cpuUsage();
  let frames = new Map<string, { taken: number; refused: number }>();
  return {
    async measure() {
      const now = clock.now().getTime();
      // With a test clock, no time may have passed. The minimum prevents a division by 0.
      const seconds = Math.max(now - measuredAt, 1) / 1000;
      const used = process.cpuUsage(usage);
      const before = frames;
      frames = await countFrames(metrics);
      const rate = (kind: 'taken' | 'refused') =>
        Object.fromEntries(
          [...frames].map(([protocol, counts]) => {
            const more = counts[kind] - (before.get(protocol)?.[kind] ?? 0);
            return [protocol, round(more / seconds)];
          }),
        );
      const load: ProcessLoad = {
        cpuPercent: round((used.user + used.system) / 10_000 / seconds),
        memoryBytes: process.memoryUsage.rss(),
        eventLoopDelayMs: round(delay.percentile(99) / 1e6),
        framesPerSecond: rate('taken'),
        refusedPerSecond: rate('refused'),
      };
      measuredAt = now;
      usage = process.cpuUsage();
      delay.reset();
      return load;
    },
    close: () => void delay.disable(),
  };
}

/** Reads the number of frames for each protocol from the gateway's counter (server/gateway/answers.ts). */
export async function countFrames({ registry }: Metrics): Promise<Map<string, { taken: number; refused: number }>> {
  const counter = registry.getSingleMetric('tocsin_frames_total');
  const counts = new Map<string, { taken: number; refused: number }>();
  for (const { labels, value } of (await counter?.get())?.values ?? []) {
    const protocol = String(labels.protocol);
    const count = counts.get(protocol) ?? { taken: 0, refused: 0 };
    count[labels.outcome === 'taken' ? 'taken' : 'refused'] += value;
    counts.set(protocol, count);
  }
  return counts;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
