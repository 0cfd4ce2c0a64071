import { formatNumber } from '../../kit/format/number.ts';
import { SignalShape } from '../../kit/format/SignalBars.tsx';
import { signalBars } from '../../kit/format/value.ts';
import { None } from '../../kit/list/cells.tsx';
import { LightTooltip } from '../../ui/LightTooltip.tsx';
import classes from './SignalBars.module.css';

interface SignalBarsProps {
  /** Signal strength in dBm; null if no device has reported it. */
  dbm: number | null;
  provider?: string;
}

/** Shows the GSM signal as bars and in dBm, with the provider in the tooltip. */
export function SignalBars({ dbm, provider }: SignalBarsProps) {
  if (dbm === null) {
    return <None />;
  }
  return (
    <LightTooltip label={() => `${provider || 'GSM'}, ${signalBars(dbm)} of 4 bars`}>
      <span className={classes.signal}>
        <SignalShape dbm={dbm} />
        <span>
          {formatNumber(dbm)} <small>dBm</small>
        </span>
      </span>
    </LightTooltip>
  );
}
