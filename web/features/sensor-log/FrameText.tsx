import { TbAlertTriangle, TbInfoCircle } from 'react-icons/tb';
import { counted } from '../../kit/format/number.ts';
import { Verbatim } from '../../kit/list/cells.tsx';
import classes from './FrameText.module.css';
import { isRejected, problemText } from './rejected-device.ts';
import type { SensorLogRow } from './sensor-log.queries.ts';

/**
 * Maximum number of characters shown from a frame, because some frames are very long. The decoder shows the whole
 * frame.
 */
const MOST_SHOWN = 600;

/**
 * Shows the raw text of a frame with the problem from the log, or the reason why the device was rejected. On a phone,
 * the uid is above the text.
 */
export function FrameText({ frame }: { frame: SensorLogRow }) {
  const left = frame.rawData.length - MOST_SHOWN;
  return (
    <>
      <span className={classes.uid}>{frame.uid}</span>
      {isRejected(frame) ? null : <Verbatim>{frame.rawData === '' ? '(empty)' : beginningOf(frame.rawData)}</Verbatim>}
      {left > 0 && (
        <span className={classes.note}>{counted(left, 'more character')}. Open the frame to see all of them.</span>
      )}
      {frame.encoding === 'base64' && <span className={classes.note}>Binary data, shown as base64.</span>}
      {frame.problem !== null && (
        <span className={classes.problem}>
          <TbAlertTriangle size={14} strokeWidth={1.75} aria-hidden />
          {problemText(frame)}
        </span>
      )}
      {frame.note !== null && (
        <span className={classes.note}>
          <TbInfoCircle size={14} strokeWidth={1.75} aria-hidden />
          {frame.note}
        </span>
      )}
    </>
  );
}

function beginningOf(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
