import { Tooltip } from '@mantine/core';
import { None } from '../list/cells.tsx';
import { formatNumber } from '../list/number.ts';
import classes from './SignalBars.module.css';
import { barsOf } from './signal.ts';

interface SignalBarsProps {
  /** The received power in dBm; null while none was ever reported. */
  dbm: number | null;
  provider?: string;
}

/** A GSM signal as bars and its figure, with the provider one hover away. */
export function SignalBars({ dbm, provider }: SignalBarsProps) {
  if (dbm === null) {
    return <None />;
  }
  const filled = barsOf(dbm);
  return (
    <Tooltip label={`${provider || 'GSM'}, ${filled} of 4 bars`}>
      <span className={classes.signal}>
        <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden>
          {[0, 1, 2, 3].map((bar) => (
            <rect
              key={bar}
              x={bar * 4 + 0.5}
              y={8 - bar * 2.5}
              width="3"
              height={4 + bar * 2.5}
              rx="0.5"
              data-filled={bar < filled || undefined}
            />
          ))}
        </svg>
        <span>
          {formatNumber(dbm)} <small>dBm</small>
        </span>
      </span>
    </Tooltip>
  );
}
