import { parseTime } from '../../domain/frame/time.ts';
import { keyOf } from './chance.ts';
import { type Counts, type NotTaken, noCounts, Outbox } from './outbox.ts';
import { PlanError } from './plan.ts';
import type { Speaker } from './speaker.ts';

export interface Row {
  time: number;
  value: number;
}

/** Rows of one frame. */
const MOST_ROWS = 500;

/** Frames that wait before the next one is made. */
const MOST_WAITING = 20;

/** The rows of two columns, in order of time. Rows without a time or a number are left out and counted. */
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
 * The same rows in another time. At `max` they lie before `now` as they lay apart, and all are due. At a speed the first one
 * is now and the others follow so much faster, each dated when it is sent.
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
  /** When all is delivered, or it was stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Sends each row when it is due, and several in one frame where several are. */
export function startReplay(
  rows: readonly Row[],
  channel: string,
  speaker: Speaker,
  now = Date.now,
  onRefusal?: (notTaken: NotTaken) => void,
): Replay {
  const counts = noCounts();
  const stopping = new AbortController();
  const outbox = new Outbox({
    speaker,
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
      outbox.add({ body: new TextEncoder().encode(frame), confirms: [] });
      if (outbox.waiting.length >= MOST_WAITING) {
        await outbox.drained();
      }
      at = end;
    }
    await outbox.drained();
  };
  const ended = run();
  return {
    counts,
    ended,
    async stop() {
      stopping.abort();
      await outbox.stop();
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
