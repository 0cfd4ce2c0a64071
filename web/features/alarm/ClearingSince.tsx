import { At } from '../../kit/format/At.tsx';
import type { Clearing } from './clearing.ts';

/** Follows a text such as `Back to normal`: since when, and when the alarm resolves automatically. */
export function ClearingSince({ back: { since, until } }: { back: Clearing }) {
  return (
    <>
      since <At at={since} />. Resolves automatically{' '}
      {until === null ? (
        'once it has stayed there long enough'
      ) : (
        <>
          at <At at={until} />
        </>
      )}
      , unless it goes out of limits again.
    </>
  );
}
