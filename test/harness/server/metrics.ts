import type { Labels, Metrics } from '../../../server/platform/metrics.ts';

/** Returns the sum of all counters with the given labels. */
export async function countOf(metrics: Metrics, wanted: Labels): Promise<number> {
  const counters = await metrics.registry.getMetricsAsJSON();
  return counters
    .flatMap(({ values }) => values)
    .filter(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
