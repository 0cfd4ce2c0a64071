import type { Curves } from './curves.ts';
import { Device } from './device.ts';
import { forwardClock } from './forward-clock.ts';
import { type Counts, type NotTaken, noCounts } from './outbox.ts';
import type { Plan } from './plan.ts';

export interface PlantOptions {
  log(line: string): void;
  /** Further curves by name, besides the built-in ones. */
  curves?: Curves;
  now?(): number;
}

export interface Plant {
  readonly counts: Counts;
  /** When the token of every sensor is refused and no frame was ever taken, so that there is nothing to wait for. */
  readonly turnedAway: Promise<string>;
  /** Every sensor measures and sends once, whatever time it is. */
  measureNow(): void;
  stop(): Promise<void>;
}

/** Starts every sensor of a plan that was read by readPlan, spread evenly over their intervals. */
export function startPlant(plan: Plan, { log, curves = {}, now = forwardClock() }: PlantOptions): Plant {
  const counts = noCounts();
  const reasons = new Map<string, number>();
  const tell = tellFirst(log);
  const barred = new Set<string>();
  const turnedAway = Promise.withResolvers<string>();
  const devices = plan.sensors.map(
    (sensor, index) =>
      new Device({
        plan,
        sensor,
        phase: index / plan.sensors.length,
        curves,
        counts,
        now,
        onRefusal: (notTaken) => {
          const { because, badToken } = notTaken;
          reasons.set(because, (reasons.get(because) ?? 0) + 1);
          tell(sensor.uid, notTaken);
          if (badToken) barred.add(sensor.uid);
          if (barred.size === plan.sensors.length && counts.accepted === 0) turnedAway.resolve(because);
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
    turnedAway: turnedAway.promise,
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

/** Says at once why a frame was not taken, the first time for each reason: there may be thousands of sensors. */
export function tellFirst(log: (line: string) => void): (uid: string, notTaken: NotTaken) => void {
  const told = new Set<string>();
  return (uid, { because, badToken, again }) => {
    if (told.has(because)) return;
    told.add(because);
    const why = isNobodyThere(because) ? `no server answers there (${because})` : because;
    const next = again ? ' It is kept and sent again until the server takes it.' : ' It is not sent again.';
    log(`A frame of ${uid} was not taken: ${why}.${badToken ? '' : next}`);
  };
}

/** Whether the network names the reason, and not the server. */
function isNobodyThere(because: string): boolean {
  return /^E[A-Z_]+$/.test(because);
}

/** One line on the time since the last one. */
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
