import type { Curves } from './curves.ts';
import { Device } from './device.ts';
import { forwardClock } from './forward-clock.ts';
import { type Counts, type FailedFrame, zeroCounts } from './frame-queue.ts';
import type { Plan } from './plan.ts';

export interface PlantOptions {
  log(line: string): void;
  /** Additional curves, keyed by name. */
  curves?: Curves;
  now?(): number;
}

export interface Plant {
  readonly counts: Counts;
  /** Resolves when the tokens of all sensors were refused and no frame was ever accepted. */
  readonly allTokensRefused: Promise<string>;
  /** Makes every sensor measure and send once, regardless of its interval. */
  measureNow(): void;
  stop(): Promise<void>;
}

/** Starts all sensors of a plan, spread evenly over their intervals. */
export function startPlant(plan: Plan, { log, curves = {}, now = forwardClock() }: PlantOptions): Plant {
  const counts = zeroCounts();
  const reasons = new Map<string, number>();
  const tell = logFirstOfEachReason(log);
  const barred = new Set<string>();
  const allTokensRefused = Promise.withResolvers<string>();
  const devices = plan.sensors.map(
    (sensor, index) =>
      new Device({
        plan,
        sensor,
        phase: index / plan.sensors.length,
        curves,
        counts,
        now,
        onRefusal: (failure) => {
          const { because, badToken } = failure;
          reasons.set(because, (reasons.get(because) ?? 0) + 1);
          tell(sensor.uid, failure);
          if (badToken) barred.add(sensor.uid);
          if (barred.size === plan.sensors.length && counts.accepted === 0) allTokensRefused.resolve(because);
        },
      }),
  );
  let before = { ...counts };
  const report = setInterval(() => {
    const waiting = devices.reduce((sum, device) => sum + device.waiting, 0);
    log(reportLine(before, counts, waiting, reasons));
    before = { ...counts };
    reasons.clear();
  }, 60_000);
  for (const device of devices) {
    device.start();
  }
  return {
    counts,
    allTokensRefused: allTokensRefused.promise,
    measureNow() {
      for (const device of devices) {
        device.measure(now());
      }
    },
    async stop() {
      clearInterval(report);
      await Promise.all(devices.map((device) => device.stop()));
    },
  };
}

/**
 * Returns a function that logs only the first refusal for each reason, because thousands of sensors may be refused for
 * the same reason.
 */
export function logFirstOfEachReason(log: (line: string) => void): (uid: string, failure: FailedFrame) => void {
  const logged = new Set<string>();
  return (uid, { because, badToken, again }) => {
    if (logged.has(because)) return;
    logged.add(because);
    const why = isNetworkError(because) ? `the server is not responding (${because})` : because;
    const next = again
      ? ' The simulator will send it again until the server accepts it.'
      : ' The simulator will not send it again.';
    log(`A frame of ${uid} was not accepted: ${why}.${badToken ? '' : next}`);
  };
}

/** Returns true if the reason is a network error code rather than a refusal by the server. */
function isNetworkError(because: string): boolean {
  return /^E[A-Z_]+$/.test(because);
}

/** Returns a summary of the counts since the last report. */
export function reportLine(
  before: Counts,
  counts: Counts,
  waiting: number,
  reasons: ReadonlyMap<string, number>,
): string {
  const since = (name: keyof Counts) => counts[name] - before[name];
  const why = [...reasons].map(([because, times]) => `${because} ${times}`).join(', ');
  return [
    `sent ${since('sent')}`,
    `accepted ${since('accepted')}`,
    `refused ${since('refused')}`,
    `failed ${since('failed')}`,
    `commands confirmed ${since('confirmed')}`,
    ...(since('dropped') > 0 ? [`dropped ${since('dropped')}`] : []),
    ...(waiting > 0 ? [`waiting ${waiting}`] : []),
    ...(why === '' ? [] : [`because of ${why}`]),
  ].join(', ');
}
