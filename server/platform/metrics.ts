import { Counter, Gauge, Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

/** Counters of this process. */
export interface Metrics {
  /** Increments a counter. The first call with a name defines the label names of the counter. */
  count(name: string, labels?: Labels, by?: number): void;
  readonly registry: Registry;
}

/** Value that is read when Prometheus scrapes the metrics, such as the length of a queue. */
export interface GaugeSample {
  name: string;
  labels: Labels;
  value: number;
}

/**
 * Maximum number of label combinations per counter. Further combinations share one series, so that unexpected labels
 * cannot fill the memory.
 */
const MAX_SERIES = 1000;

/** prom-client requires a help text for each metric; docs/operating.md describes all metrics. */
const HELP = 'Described in docs/operating.md.';

interface Family {
  counter: Counter;
  seen: Set<string>;
  overflow: Labels;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const families = new Map<string, Family>();

  const create = (name: string, labels: Labels): Family => {
    const labelNames = Object.keys(labels);
    const counter = new Counter({ name, help: HELP, labelNames, registers: [registry] });
    const overflow = Object.fromEntries(labelNames.map((label) => [label, 'other']));
    const family = { counter, seen: new Set<string>(), overflow };
    families.set(name, family);
    return family;
  };

  return {
    registry,
    count(name, labels = {}, by = 1) {
      const { counter, seen, overflow } = families.get(name) ?? create(name, labels);
      let key = '';
      for (const label in labels) key += `${label}=${labels[label]}\n`;
      if (seen.size < MAX_SERIES) seen.add(key);
      counter.inc(seen.has(key) ? labels : overflow, by);
    },
  };
}

/** Returns the counters and gauges in the text format of Prometheus. */
export function exposition(metrics: Metrics, gauges: readonly GaugeSample[]): Promise<string> {
  const registry = new Registry();
  for (const [name, samples] of Map.groupBy(gauges, (sample) => sample.name)) {
    const labelNames = Object.keys(samples[0]?.labels ?? {});
    const gauge = new Gauge({ name, help: HELP, labelNames, registers: [registry] });
    for (const { labels, value } of samples) gauge.set(labels, value);
  }
  return Registry.merge([metrics.registry, registry]).metrics();
}
