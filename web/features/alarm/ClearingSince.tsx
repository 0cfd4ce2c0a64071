import { At } from '../../kit/format/At.tsx';
import type { Clearing } from './clearing.ts';

/**
 * Shows when the value returned to normal and when the alarm resolves automatically. The text follows a label such as
 * `Back to normal`.
 */
export function ClearingSince({ back: { since, until } }: { back: Clearing }) {
  return (
    <>
      since <At at={since} />. Resolves automatically{' '}
      {until === null ? (
        'once the value has stayed normal long enough'
      ) : (
        <>
          at <At at={until} />
        </>
      )}
      , unless the value goes out of limits again.
    </>
  );
}
