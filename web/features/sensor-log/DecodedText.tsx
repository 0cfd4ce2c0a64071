import { Fragment } from 'react';
import { None } from '../list/cells.tsx';
import classes from './DecodedText.module.css';
import { frameLine, type Reading } from './reading.ts';

/** What a frame says, each value with whether it was taken. */
export function DecodedText({ reading, problem }: { reading: Reading; problem: string | null }) {
  if (reading.problem !== null) return <None />;
  const { pairs, more, besides } = frameLine(reading, problem);
  if (pairs.length === 0 && besides.length === 0) return <None />;
  const rest = [...(more === '' ? [] : [more]), ...besides].join(', ');
  return (
    <>
      {pairs.map(({ text, refused }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame may say the same twice, and its values have no identity.
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
