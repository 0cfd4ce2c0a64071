import { expect, test } from 'vitest';
import { createMetrics, exposition, type GaugeSample } from './metrics.ts';

const valuesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.registry.getSingleMetric(name)?.get())?.values.map(({ labels, value }) => ({ labels, value }));

test('counts by name and labels', async () => {
  const metrics = createMetrics();
  metrics.count('frames', { protocol: 'tcp' });
  metrics.count('frames', { protocol: 'tcp' }, 4);
  metrics.count('frames', { protocol: 'http' });
  metrics.count('starts');
  expect(await valuesOf(metrics, 'frames')).toEqual([
    { labels: { protocol: 'tcp' }, value: 5 },
    { labels: { protocol: 'http' }, value: 1 },
  ]);
  expect(await valuesOf(metrics, 'starts')).toEqual([{ labels: {}, value: 1 }]);
});

test('shares one series between label values above the limit', async () => {
  const metrics = createMetrics();
  for (let index = 0; index < 5000; index += 1) metrics.count('frames', { uid: String(index) });
  metrics.count('frames', { uid: '7' });
  const values = await valuesOf(metrics, 'frames');
  expect(values?.length).toBe(1001);
  expect(values?.at(-1)).toEqual({ labels: { uid: 'other' }, value: 4000 });
  expect(values?.find(({ labels }) => labels.uid === '7')?.value).toBe(2);
});

test('keeps the counters of two Metrics objects separate', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.count('frames');
  expect(await exposition(other, [])).not.toContain('frames');
});

test('writes the text format of Prometheus', async () => {
  const metrics = createMetrics();
  metrics.count('frames_total', { protocol: 'tcp', outcome: 'a "quoted\\ one"\n' }, 3);
  metrics.count('frames_total', { protocol: 'http', outcome: 'taken' });
  const gauges: GaugeSample[] = [
    { name: 'open', labels: { severity: 'major' }, value: 2 },
    { name: 'open', labels: { severity: 'minor' }, value: 0.5 },
    { name: 'up', labels: {}, value: 1 },
  ];
  const lines = (await exposition(metrics, gauges)).split('\n').filter((line) => !line.startsWith('# HELP'));
  expect(lines.filter(Boolean)).toEqual([
    '# TYPE frames_total counter',
    'frames_total{protocol="tcp",outcome="a \\"quoted\\\\ one\\"\\n"} 3',
    'frames_total{protocol="http",outcome="taken"} 1',
    '# TYPE open gauge',
    'open{severity="major"} 2',
    'open{severity="minor"} 0.5',
    '# TYPE up gauge',
    'up 1',
  ]);
});
