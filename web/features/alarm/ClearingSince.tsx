import { At } from '../../kit/format/At.tsx';
import type { Clearing } from './clearing.ts';

/** To be read after the words that it is back: since when, and when the alarm resolves by itself. */
export function ClearingSince({ back: { since, until } }: { back: Clearing }) {
  return (
    <>
      since <At at={since} />. It resolves by itself{' '}
      {until === null ? (
        'once it has stayed there long enough'
      ) : (
        <>
          at <At at={until} />
        </>
      )}
      , unless it goes out again.
    </>
  );
}
