import type { ReactNode } from 'react';
import classes from './StateMark.module.css';
import { type State, stateWords } from './state-words.ts';

export type { State } from './state-words.ts';

const shapes: Record<State, (hollow: boolean) => ReactNode> = {
  critical: () => (
    <>
      <path className={classes.body} d="M5.2 1.6h5.6l3.6 3.6v5.6l-3.6 3.6H5.2L1.6 10.8V5.2z" />
      <path className={classes.sign} d="M8 4.6v4M8 11.3v.1" />
    </>
  ),
  major: () => (
    <>
      <path className={classes.body} d="M8 2.2 14.6 13.6H1.4z" />
      <path className={classes.sign} d="M8 6.4v3M8 11.7v.1" />
    </>
  ),
  minor: () => <path className={classes.body} d="M8 1.7 14.3 8 8 14.3 1.7 8z" />,
  silent: brokenRing,
  stale: brokenRing,
  shelved: () => (
    <>
      <rect className={classes.body} x="2.2" y="2.2" width="11.6" height="11.6" rx="2" />
      <path className={classes.sign} d="M6.2 5.7v4.6M9.8 5.7v4.6" />
    </>
  ),
  maintenance: () => (
    <>
      <rect className={classes.body} x="2.2" y="2.2" width="11.6" height="11.6" rx="2" />
      <path className={classes.sign} d="M5 11l3.2-3.2M7.6 5.4a2.1 2.1 0 1 0 3 3" />
    </>
  ),
  consequence: () => (
    <>
      <path className={classes.line} d="M3.2 2.2v5.6a3 3 0 0 0 3 3h1.6" />
      <circle className={classes.body} cx="11" cy="10.8" r="2.8" />
    </>
  ),
  normal: () => <circle className={classes.ring} cx="8" cy="8" r="4" strokeWidth="1.5" />,
};

function brokenRing(hollow: boolean) {
  return (
    <>
      <circle
        className={classes.ring}
        cx="8"
        cy="8"
        r="5.9"
        strokeWidth={hollow ? 1.7 : 1.9}
        strokeDasharray="3.6 2.58"
        strokeLinecap="butt"
      />
      {hollow ? null : <circle className={classes.dot} cx="8" cy="8" r="1.7" />}
    </>
  );
}

interface StateMarkProps {
  state: State;
  /** True to draw the shape as an outline, false to fill it. */
  acknowledged?: boolean;
  /** Text instead of the state's label, such as 'Critical, not acknowledged'. */
  word?: string;
  /** `plain` for lists and tiles, `badge` for a panel or sheet, `shape` if the label is already next to it. */
  look?: 'plain' | 'badge' | 'shape';
}

/** Shows a state by shape, label and colour, never by colour alone. */
export function StateMark({ state, acknowledged = false, word, look = 'plain' }: StateMarkProps) {
  const text = word ?? stateWords[state];
  const shape = (
    <svg className={classes.shape} viewBox="0 0 16 16" aria-hidden>
      {shapes[state](acknowledged)}
    </svg>
  );
  if (look === 'shape') {
    return (
      <span
        className={classes.mark}
        data-state={state}
        data-hollow={acknowledged || undefined}
        role="img"
        aria-label={text}
      >
        {shape}
      </span>
    );
  }
  return (
    <span
      className={classes.mark}
      data-state={state}
      data-hollow={acknowledged || undefined}
      data-badge={look === 'badge' || undefined}
    >
      {shape}
      {text}
    </span>
  );
}
