export type Labels = Readonly<Record<string, string>>;

/** Figures of a running process: how often things happened, and how long they took. */
export interface Metrics {
  count(name: string, labels?: Labels, by?: number): void;
  /** Notes one measured value, such as the seconds something took. */
  observe(name: string, value: number, labels?: Labels): void;
  snapshot(): Sample[];
}

/** A counter only grows; a gauge is as it is at the moment. */
export type Sample =
  | { kind: 'counter'; name: string; labels: Labels; value: number }
  | { kind: 'gauge'; name: string; labels: Labels; value: number }
  | {
      kind: 'histogram';
      name: string;
      labels: Labels;
      count: number;
      sum: number;
      buckets: [upTo: number, count: number][];
    };

/** Upper edges in seconds: wide enough for a commit in memory and for a database that hangs. */
const EDGES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What labels may make of one name, so that a label that takes whatever a stranger sends cannot fill the memory. */
const MOST_SERIES = 1000;

export function createMetrics(): Metrics {
  const families = new Map<string, Map<string, Sample>>();

  const find = <Kind extends Sample['kind']>(
    kind: Kind,
    name: string,
    labels: Labels,
    make: (labels: Labels) => Extract<Sample, { kind: Kind }>,
  ): Extract<Sample, { kind: Kind }> => {
    let family = families.get(name);
    if (!family) {
      family = new Map();
      families.set(name, family);
    }
    let key = '';
    for (const label in labels) key += `${label}=${labels[label]}\n`;
    let sample = family.get(key);
    if (!sample) {
      if (family.size >= MOST_SERIES && key !== OTHER) return find(kind, name, { other: 'true' }, make);
      sample = make({ ...labels });
      family.set(key, sample);
    }
    if (sample.kind !== kind) throw new Error(`${name} is a ${sample.kind}, and was used as a ${kind}.`);
    return sample as Extract<Sample, { kind: Kind }>;
  };

  return {
    count(name, labels = {}, by = 1) {
      find('counter', name, labels, (own) => ({ kind: 'counter', name, labels: own, value: 0 })).value += by;
    },
    observe(name, value, labels = {}) {
      const histogram = find('histogram', name, labels, (own) => ({
        kind: 'histogram',
        name,
        labels: own,
        count: 0,
        sum: 0,
        buckets: EDGES.map((edge) => [edge, 0]),
      }));
      histogram.count += 1;
      histogram.sum += value;
      for (const bucket of histogram.buckets) if (value <= bucket[0]) bucket[1] += 1;
    },
    snapshot: () => [...families.values()].flatMap((family) => structuredClone([...family.values()])),
  };
}

const OTHER = 'other=true\n';

/** The samples as Prometheus reads them, with those of one name together. */
export function exposition(samples: readonly Sample[]): string {
  const lines: string[] = [];
  for (const [name, family] of Map.groupBy(samples, (sample) => sample.name)) {
    lines.push(`# TYPE ${name} ${family[0]?.kind}`);
    for (const sample of family) {
      const { labels } = sample;
      if (sample.kind !== 'histogram') {
        lines.push(`${name}${braces(labels)} ${sample.value}`);
        continue;
      }
      for (const [upTo, count] of sample.buckets) {
        lines.push(`${name}_bucket${braces({ ...labels, le: String(upTo) })} ${count}`);
      }
      lines.push(`${name}_bucket${braces({ ...labels, le: '+Inf' })} ${sample.count}`);
      lines.push(`${name}_sum${braces(labels)} ${sample.sum}`, `${name}_count${braces(labels)} ${sample.count}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function braces(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value.replace(/[\\"\n]/g, escaped)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function escaped(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}
