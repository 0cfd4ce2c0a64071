import { Button } from '@mantine/core';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, lasted, quietState, severityOf, whereOf } from '../../../kit/format/alarm.ts';
import { alarmName, withoutSite } from '../../../kit/format/alarm-name.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { stateWords } from '../../../ui/state-words.ts';
import { RowCheckbox } from '../../../ui/table/RowCheckbox.tsx';
import { Age } from '../../../ui/time/Age.tsx';
import { isValueInside, Limit, Occurrences, Response, Value } from '../AlarmCells.tsx';
import type { AlarmRow } from '../alarm.queries.ts';
import { Assignee } from '../assign/Assignment.tsx';
import classes from './AlarmCards.module.css';
import type { AlarmRowsProps } from './AlarmTable.tsx';
import type { AlarmSelection } from './useAlarmSelection.ts';

interface AlarmCardsProps extends AlarmRowsProps {
  /** True in selection mode: a tap selects an alarm instead of opening it. */
  selecting: boolean;
  onSelect: (selecting: boolean) => void;
}

/** Shows alarms as cards on phones. A tap on a card opens the alarm; the card's button opens the acknowledge dialog. */
export function AlarmCards(props: AlarmCardsProps) {
  const { groups, fetching, selection, selecting, onSelect } = props;
  if (groups === undefined) {
    return (
      <div role="status" aria-label="Loading">
        {['64%', '52%', '70%', '58%', '61%'].map((width) => (
          <div key={width} className={classes.card}>
            <div className={classes.open}>
              <Skeleton width={72} />
              <Skeleton width={40} />
              <Skeleton width={width} height={14} />
              <Skeleton width="40%" />
            </div>
          </div>
        ))}
      </div>
    );
  }
  return (
    <div data-fetching={fetching || undefined} className={classes.cards}>
      {groups.map((group, index) => (
        <section key={group.key} aria-label={group.title || 'Past alarms'}>
          <div className={classes.group}>
            {group.title ? (
              <h2>
                {group.title}{' '}
                <span>
                  {(group.count ?? group.rows.length).toLocaleString()}
                  {group.note ? `, ${group.note}` : ''}
                </span>
              </h2>
            ) : (
              <span />
            )}
            {index === 0 && selection.allowed ? (
              <button type="button" aria-pressed={selecting} onClick={() => onSelect(!selecting)}>
                {selecting ? 'Done' : 'Select'}
              </button>
            ) : null}
          </div>
          {group.rows.map((alarm) => (
            <Card key={alarm.uuid} {...props} alarm={alarm} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Card({ alarm, openId, onOpen, newUuids, selection, selecting }: AlarmCardsProps & { alarm: AlarmRow }) {
  const past = alarm.resolvedDate !== null;
  const quiet = quietState(alarm);
  const shelved = quiet === 'shelved' || quiet === 'maintenance';
  const waiting = acknowledgementOf(alarm.acknowledgeJson) === null && quiet === null;
  const isUrgent = !past && waiting && alarm.severity === 'critical';
  const isSilent = alarm.severity === 'silent';
  return (
    <div
      className={classes.card}
      data-waiting={waiting || undefined}
      data-hot={isUrgent || undefined}
      data-new={newUuids?.has(alarm.uuid) || undefined}
      data-state={alarm.severity}
    >
      <button
        type="button"
        className={classes.open}
        {...(selecting ? { 'aria-pressed': selection.has(alarm.uuid) } : { 'aria-expanded': alarm.uuid === openId })}
        onClick={() => (selecting ? selection.toggle(alarm.uuid) : onOpen(alarm.uuid))}
      >
        {quiet ? (
          <StateMark
            state={quiet}
            word={`${stateWords[quiet]}, ${stateWords[severityOf(alarm.severity)].toLowerCase()}`}
          />
        ) : (
          <StateMark state={severityOf(alarm.severity)} acknowledged={!waiting} />
        )}
        <span className={classes.when}>{past ? <At at={alarm.resolvedDate} /> : <Age at={alarm.dateTime} />}</span>
        <b>
          {withoutSite(alarm.message, alarm.siteName)} <Occurrences alarm={alarm} />
        </b>
        <span className={classes.where}>{whereOf(alarm)}</span>
        {quiet === 'consequence' ? <span className={classes.where}>Cause: {alarm.causeName}</span> : null}
        <span className={classes.last}>
          <span className={classes.reading} data-back={isValueInside(alarm) || undefined}>
            {past ? (
              `lasted ${lasted(alarm)}`
            ) : (
              <>
                {isSilent ? 'no data ' : ''}
                <Value alarm={alarm} />
              </>
            )}
          </span>
          <span className={classes.limit}>{past || isSilent ? null : <Limit alarm={alarm} />}</span>
          {shelved ? (
            <span>
              {alarm.maintenanceWindow?.name ?? alarm.shelving?.userName}
              {alarm.quietUntil === null ? null : (
                <>
                  {' '}
                  until <At at={alarm.quietUntil} />
                </>
              )}
            </span>
          ) : (
            <Response alarm={alarm} />
          )}
          <Assignee alarm={alarm} />
        </span>
      </button>
      <CardAction alarm={alarm} isUrgent={isUrgent} selection={selection} selecting={selecting} />
    </div>
  );
}

interface CardActionProps {
  alarm: AlarmRow;
  isUrgent: boolean;
  selection: AlarmSelection;
  selecting: boolean;
}

/** Shows a checkbox in selection mode, otherwise the acknowledge button. */
function CardAction({ alarm, isUrgent, selection, selecting }: CardActionProps) {
  if (selecting) {
    return (
      <span className={classes.corner}>
        <RowCheckbox
          aria-label={`Select ${alarmName(alarm)}`}
          tabIndex={-1}
          checked={selection.has(alarm.uuid)}
          onChange={() => selection.toggle(alarm.uuid)}
        />
      </span>
    );
  }
  const able = quietState(alarm) ? [] : selection.acknowledgeable([alarm]);
  return able.length > 0 ? (
    <span className={classes.corner}>
      <Button
        variant={isUrgent ? 'filled' : 'default'}
        aria-label={`Acknowledge ${alarmName(alarm)}`}
        onClick={() => selection.handle('acknowledge', able)}
      >
        Acknowledge
      </Button>
    </span>
  ) : null;
}
