import { Fragment } from 'react';
import { None } from '../../kit/list/cells.tsx';
import classes from './DecodedText.module.css';
import { type FrameLine, frameLine, type Reading } from './decoded-frame.ts';
import { callLine } from './gateway-call.ts';

/** Shows the decoded values of a frame, or of all frames in a gateway's call, with the result of each value. */
export function DecodedText({ reading, problem }: { reading: Reading; problem: string | null }) {
  if (reading.problem !== null) return <None />;
  if (reading.brings.length > 0) return <CallText reading={reading} problem={problem} />;
  const line = frameLine(reading, problem);
  return line.pairs.length === 0 && line.besides.length === 0 ? <None /> : <LineText line={line} />;
}

function CallText({ reading, problem }: { reading: Reading; problem: string | null }) {
  const { frames, more } = callLine(reading, problem);
  return (
    <>
      {frames.map(({ uid, line }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call may contain several frames of the same sensor.
        <div key={index}>
          <b className={classes.uid}>{uid}</b> <LineText line={line} />
        </div>
      ))}
      {more}
    </>
  );
}

function LineText({ line: { pairs, more, besides } }: { line: FrameLine }) {
  const rest = [...(more === '' ? [] : [more]), ...besides].join(', ');
  return (
    <>
      {pairs.map(({ text, refused }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame may repeat a value, so only the index is unique.
        <Fragment key={index}>
          {index === 0 ? '' : ', '}
          {refused === null ? (
            text
          ) : (
            <span className={classes.refused}>
              <s>{text}</s> refused: {refused}
            </span>
          )}
        </Fragment>
      ))}
      {rest === '' ? '' : `${pairs.length > 0 ? ', ' : ''}${rest}`}
    </>
  );
}
