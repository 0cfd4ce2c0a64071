import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { Verbatim } from '../list/cells.tsx';
import classes from './FrameText.module.css';
import type { SensorLogRow } from './sensor-log.queries.ts';

/** A frame word for word, and below it why it gave no reading or what was taken otherwise. */
export function FrameText({ frame }: { frame: SensorLogRow }) {
  return (
    <>
      <Verbatim>{frame.rawData === '' ? '(empty)' : frame.rawData}</Verbatim>
      {frame.encoding === 'base64' && <span className={classes.note}>Not text; shown as base64.</span>}
      {frame.problem !== null && (
        <span className={classes.problem}>
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
          {frame.problem}
        </span>
      )}
      {frame.note !== null && (
        <span className={classes.note}>
          <IconInfoCircle size={14} stroke={1.75} aria-hidden />
          {frame.note}
        </span>
      )}
    </>
  );
}
