import { parseTime } from '../../domain/frame/time.ts';
import { keyOf } from './chance.ts';
import type { DeviceClient } from './client.ts';
import { type Counts, type FailedFrame, FrameQueue, zeroCounts } from './frame-queue.ts';
import { PlanError } from './plan.ts';

export interface Row {
  time: number;
  value: number;
}

/** Maximum number of rows in one frame. */
const MOST_ROWS = 500;

/** Maximum number of queued frames. While the queue is full, no further frame is created. */
const MOST_WAITING = 20;

/**
 * Parses two columns of a CSV file into rows sorted by time. Rows without a valid time or number are skipped and
 * counted.
 */
export function readSeries(text: string, columns: { time: string; value: string }): { rows: Row[]; skipped: number } {
  const [header = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = cells(header);
  const placeOf = (name: string) => {
    const place = names.indexOf(name);
    if (place < 0) {
      throw new PlanError(`The file has no column "${name}". It has ${names.join(', ')}.`);
    }
    return place;
  };
  const [timePlace, valuePlace] = [placeOf(columns.time), placeOf(columns.value)];
  const rows: Row[] = [];
  for (const line of lines) {
    const row = cells(line);
    const time = parseTime(row[timePlace]);
    const value = row[valuePlace] ? Number(row[valuePlace]) : Number.NaN;
    if (time !== undefined && Number.isFinite(value)) {
      rows.push({ time, value });
    }
  }
  rows.sort((a, b) => a.time - b.time);
  return { rows, skipped: lines.length - rows.length };
}

function cells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll('""', '"'),
  );
}

/**
 * Gives each row a new time, at which it is sent. With `max`, the last row is at `now`, the intervals stay the same,
 * and all rows are due. With a speed, the first row is due at `now`, and the other rows follow at that multiple of the
 * original speed.
 */
export function retime(rows: readonly Row[], speed: number | 'max', now: number): Row[] {
  const first = rows[0]?.time ?? 0;
  const last = rows.at(-1)?.time ?? 0;
  return rows.map(({ time, value }) => ({
    time: speed === 'max' ? now - (last - time) : Math.round(now + (time - first) / speed),
    value,
  }));
}

export interface Replay {
  readonly counts: Counts;
  /** Resolves when all rows are delivered, or after `stop`. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Sends each row when it is due. Rows that are due together share a frame. */
export function startReplay(
  rows: readonly Row[],
  channel: string,
  client: DeviceClient,
  now = Date.now,
  onRefusal?: (failure: FailedFrame) => void,
): Replay {
  const counts = zeroCounts();
  const stopping = new AbortController();
  const queue = new FrameQueue({
    client,
    counts,
    key: keyOf('replay', channel),
    limit: Number.POSITIVE_INFINITY,
    onCommand: () => {},
    ...(onRefusal && { onRefusal }),
  });
  const run = async () => {
    for (let at = 0; at < rows.length && !stopping.signal.aborted; ) {
      await until((rows[at] as Row).time - now(), stopping.signal);
      let end = at + 1;
      while (end < rows.length && end - at < MOST_ROWS && (rows[end] as Row).time <= now()) {
        end += 1;
      }
      const frame = JSON.stringify(rows.slice(at, end).map(({ time, value }) => ({ t: time, [channel]: value })));
      queue.add({ body: new TextEncoder().encode(frame), confirms: [] });
      if (queue.waiting.length >= MOST_WAITING) {
        await queue.drained();
      }
      at = end;
    }
    await queue.drained();
  };
  const ended = run();
  return {
    counts,
    ended,
    async stop() {
      stopping.abort();
      await queue.stop();
      await ended;
    },
  };
}

function until(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (milliseconds <= 0 || signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
