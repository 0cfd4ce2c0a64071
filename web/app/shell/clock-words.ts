import { exactDuration } from '../../../domain/alarm/exact-duration.ts';

export interface ClockJump {
  /** Time of the jump; null if the clocks differ but no jump is recorded. */
  jumpedOn: string | null;
  /** Size of the jump; positive if the server's clock jumped ahead. */
  jumpSeconds: number;
  /** Seconds by which the server's clock is now ahead of Tocsin's time. */
  differenceSeconds: number;
  /** Seconds by which the database's clock is ahead of the server's clock. */
  databaseSeconds: number;
}

/**
 * Difference in seconds above which the database's clock is reported. `clock_notice` in the database uses the same
 * value.
 */
const DATABASE_SECONDS = 5;

/**
 * Difference in seconds below which the two clocks count as equal. `clock_notice` in the database uses the same value.
 */
const SAME_SECONDS = 30;

/** Returns text such as "jumped 2 hours ahead"; undefined if there was no jump. */
export function jumpWords({ jumpedOn, jumpSeconds }: ClockJump): string | undefined {
  if (jumpedOn === null) return undefined;
  return `jumped ${inWords(jumpSeconds)} ${jumpSeconds > 0 ? 'ahead' : 'back'}`;
}

/** Explains the jump and what to do. Returns undefined if there was no jump and the clocks agree. */
export function adviceWords({ jumpedOn, differenceSeconds }: ClockJump): string | undefined {
  if (jumpedOn === null && Math.abs(differenceSeconds) < SAME_SECONDS) return undefined;
  const apart = inWords(differenceSeconds);
  if (differenceSeconds >= SAME_SECONDS) {
    return `Tocsin’s time is ${apart} behind the server’s clock. The timing of alarms and messages is not affected. Check the server’s clock, then restart Tocsin.`;
  }
  if (differenceSeconds <= -SAME_SECONDS) {
    return `Tocsin’s time is ${apart} ahead of the server’s clock. The timing of alarms and messages is not affected. Check the server’s clock and its time synchronisation.`;
  }
  return 'Tocsin’s time and the server’s clock agree again. The timing of alarms and messages was not affected. Check the server’s time synchronisation.';
}

/** Returns a warning if the server's clock differs from the database's clock; otherwise undefined. */
export function databaseWords({ databaseSeconds }: ClockJump): string | undefined {
  if (Math.abs(databaseSeconds) <= DATABASE_SECONDS) return undefined;
  const place = databaseSeconds > 0 ? 'behind' : 'ahead of';
  return `The server’s clock is ${inWords(databaseSeconds)} ${place} the database’s clock. Check the time synchronisation of both machines.`;
}

function inWords(seconds: number): string {
  return exactDuration(Math.abs(seconds) * 1000);
}
