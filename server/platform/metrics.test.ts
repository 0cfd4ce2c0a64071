import { expect, test } from 'vitest';
import { createMetrics, exposition } from './metrics.ts';

test('counts by name and labels', () => {
  const metrics = createMetrics();
  metrics.count('frames', { door: 'tcp' });
  metrics.count('frames', { door: 'tcp' }, 4);
  metrics.count('frames', { door: 'http' });
  metrics.count('starts');
  expect(metrics.snapshot()).toEqual([
    { kind: 'counter', name: 'frames', labels: { door: 'tcp' }, value: 5 },
    { kind: 'counter', name: 'frames', labels: { door: 'http' }, value: 1 },
    { kind: 'counter', name: 'starts', labels: {}, value: 1 },
  ]);
});

test('sorts what is measured into buckets that each hold the smaller ones too', () => {
  const metrics = createMetrics();
  for (const seconds of [0.0005, 0.02, 0.02, 60]) metrics.observe('seconds', seconds);
  const [sample] = metrics.snapshot();
  expect(sample).toMatchObject({ kind: 'histogram', count: 4, sum: 60.0405 });
  const buckets = new Map(sample?.kind === 'histogram' ? sample.buckets : []);
  expect([buckets.get(0.001), buckets.get(0.01), buckets.get(0.025), buckets.get(10)]).toEqual([1, 1, 3, 3]);
});

test('labels that never repeat do not fill the memory', () => {
  const metrics = createMetrics();
  for (let index = 0; index < 5000; index += 1) metrics.count('frames', { uid: String(index) });
  const samples = metrics.snapshot();
  expect(samples.length).toBe(1001);
  expect(samples.at(-1)).toMatchObject({ labels: { other: 'true' }, value: 4000 });
});

test('a name is one kind of figure', () => {
  const metrics = createMetrics();
  metrics.count('frames');
  expect(() => metrics.observe('frames', 1)).toThrow('frames is a counter');
});

test('is written as Prometheus reads it', () => {
  const metrics = createMetrics();
  metrics.count('frames_total', { door: 'tcp', outcome: 'a "quoted\\ one"\n' }, 3);
  metrics.count('frames_total', { door: 'http' });
  metrics.observe('commit_seconds', 0.02);
  const lines = exposition(metrics.snapshot()).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    '# TYPE frames_total counter',
    'frames_total{door="tcp",outcome="a \\"quoted\\\\ one\\"\\n"} 3',
    'frames_total{door="http"} 1',
    '# TYPE commit_seconds histogram',
  ]);
  expect(lines).toContain('commit_seconds_bucket{le="0.01"} 0');
  expect(lines).toContain('commit_seconds_bucket{le="+Inf"} 1');
  expect(lines.slice(-3)).toEqual(['commit_seconds_sum 0.02', 'commit_seconds_count 1', '']);
});
