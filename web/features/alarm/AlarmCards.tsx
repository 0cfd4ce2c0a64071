import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { At } from '../dashboard/At.tsx';
import classes from './AlarmList.module.css';
import { type AlarmRowsProps, lasted, Told, Value } from './AlarmTable.tsx';
import { acknowledgementOf, severityOf } from './alarm.ts';

/** Alarms as cards for a thumb; a tap opens one. */
export function AlarmCards({ groups, past, openId, onOpen, fetching }: AlarmRowsProps) {
  if (groups === undefined) {
    return (
      <div role="status" aria-label="Loading">
        {['64%', '52%', '70%', '58%', '61%'].map((width) => (
          <div key={width} className={classes.alarm}>
            <Skeleton width={72} />
            <Skeleton width={40} />
            <Skeleton width={width} height={14} />
            <Skeleton width="40%" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <div data-fetching={fetching || undefined} className={classes.cards}>
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title || 'Past alarms'}>
          {group.title ? (
            <h2 className={classes.cardGroup}>
              {group.title} <span>{(group.count ?? group.rows.length).toLocaleString()}</span>
            </h2>
          ) : null}
          {group.rows.map((alarm) => {
            const waiting = acknowledgementOf(alarm.acknowledgeJson) === null;
            return (
              <button
                key={alarm.uuid}
                type="button"
                className={classes.alarm}
                data-waiting={waiting || undefined}
                data-hot={(!past && waiting && alarm.severity === 'critical') || undefined}
                data-state={alarm.severity}
                aria-expanded={alarm.uuid === openId}
                onClick={() => onOpen(alarm.uuid)}
              >
                <StateMark state={severityOf(alarm.severity)} acknowledged={!waiting} />
                <span className={classes.when}>
                  {past ? <At at={alarm.resolvedDate} /> : <Age at={alarm.dateTime} />}
                </span>
                <b>{alarm.message}</b>
                <span className={classes.where}>
                  {alarm.siteName}
                  {alarm.asset ? `, ${alarm.asset.name}` : ''}
                </span>
                <span className={classes.reading}>{past ? `lasted ${lasted(alarm)}` : <Value alarm={alarm} />}</span>
                <span className={classes.when}>
                  <Told alarm={alarm} />
                </span>
              </button>
            );
          })}
        </section>
      ))}
    </div>
  );
}
