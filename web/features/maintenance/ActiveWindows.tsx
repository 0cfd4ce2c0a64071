import { At } from '../../kit/format/At.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import classes from './ActiveWindows.module.css';
import type { ActiveWindow } from './active.queries.ts';
import { suppressedWords } from './window-words.ts';

/** Lists the maintenance windows that are in progress, with their place, their end and what they suppress. */
export function ActiveWindows({ windows }: { windows: readonly ActiveWindow[] }) {
  if (windows.length === 0) return null;
  return (
    <ul className={classes.windows} aria-label="Maintenance in progress">
      {windows.map(({ windowUuid, name, scope, targetName, suppresses, endsAt }) => (
        <li key={windowUuid}>
          <StateMark state="maintenance" />
          <span className={classes.name}>
            {name}
            {scope === 'site' ? '' : `, ${targetName}`}
          </span>
          <span className={classes.effect}>
            {endsAt === null ? null : (
              <>
                until <At at={endsAt} />
                {'. '}
              </>
            )}
            {suppressedWords(suppresses)}
          </span>
        </li>
      ))}
    </ul>
  );
}
