import { TbClockExclamation } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { At } from '../../kit/format/At.tsx';
import { useRemembered } from '../../kit/page/useRemembered.ts';
import { useActor } from '../../kit/session/actor.ts';
import classes from './ClockNotice.module.css';
import { clockNoticeQuery } from './clock.queries.ts';
import { adviceWords, databaseWords, jumpWords } from './clock-words.ts';

/** Tells owners that the server's clock jumped or differs from the database's clock, and what to do about it. */
export function ClockNotice() {
  const isOwner = can(useActor(), 'customer.update');
  const jump = useRemembered('clock-notice', { ...clockNoticeQuery, enabled: isOwner }) ?? null;
  if (!isOwner) return null;
  const jumped = jump ? jumpWords(jump) : undefined;
  return (
    <div role="status" aria-label="Server clock">
      {jump ? (
        <p className={classes.banner}>
          <TbClockExclamation size={16} strokeWidth={1.75} aria-hidden />
          <span>
            {jumped ? (
              <b>
                The server’s clock {jumped} at <At at={jump.jumpedOn} />.{' '}
              </b>
            ) : null}
            {[adviceWords(jump), databaseWords(jump)].filter(Boolean).join(' ')}
          </span>
        </p>
      ) : null}
    </div>
  );
}
