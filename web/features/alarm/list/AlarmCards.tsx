import { Button } from '@mantine/core';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, lasted, severityOf, whereOf } from '../../../kit/format/alarm.ts';
import { alarmName, withoutSite } from '../../../kit/format/alarm-name.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { RowCheckbox } from '../../../ui/table/RowCheckbox.tsx';
import { Age } from '../../../ui/time/Age.tsx';
import { isValueInside, Limit, Occurrences, Told, Value } from '../AlarmCells.tsx';
import type { AlarmRow } from '../alarm.queries.ts';
import classes from './AlarmCards.module.css';
import type { AlarmRowsProps } from './AlarmTable.tsx';
import type { AlarmSelection } from './useAlarmSelection.ts';

interface AlarmCardsProps extends AlarmRowsProps {
  /** While alarms are being chosen a tap chooses, and otherwise it opens. */
  selecting: boolean;
  onSelect: (selecting: boolean) => void;
}

/** Alarms as cards for a thumb; a tap opens one, and the button of one that waits asks for the reason at once. */
export function AlarmCards(props: AlarmCardsProps) {
  const { groups, fetching, choosing, selecting, onSelect } = props;
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
                {group.title} <span>{(group.count ?? group.rows.length).toLocaleString()}</span>
              </h2>
            ) : (
              <span />
            )}
            {index === 0 && choosing.allowed ? (
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

function Card({ alarm, openId, onOpen, newcomers, choosing, selecting }: AlarmCardsProps & { alarm: AlarmRow }) {
  const past = alarm.resolvedDate !== null;
  const waiting = acknowledgementOf(alarm.acknowledgeJson) === null;
  const isHot = !past && waiting && alarm.severity === 'critical';
  const isSilent = alarm.severity === 'silent';
  return (
    <div
      className={classes.card}
      data-waiting={waiting || undefined}
      data-hot={isHot || undefined}
      data-new={newcomers?.has(alarm.uuid) || undefined}
      data-state={alarm.severity}
    >
      <button
        type="button"
        className={classes.open}
        {...(selecting ? { 'aria-pressed': choosing.has(alarm.uuid) } : { 'aria-expanded': alarm.uuid === openId })}
        onClick={() => (selecting ? choosing.toggle(alarm.uuid) : onOpen(alarm.uuid))}
      >
        <StateMark state={severityOf(alarm.severity)} acknowledged={!waiting} />
        <span className={classes.when}>{past ? <At at={alarm.resolvedDate} /> : <Age at={alarm.dateTime} />}</span>
        <b>
          {withoutSite(alarm.message, alarm.siteName)} <Occurrences alarm={alarm} />
        </b>
        <span className={classes.where}>{whereOf(alarm)}</span>
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
          <Told alarm={alarm} />
        </span>
      </button>
      <Corner alarm={alarm} isHot={isHot} choosing={choosing} selecting={selecting} />
    </div>
  );
}

interface CornerProps {
  alarm: AlarmRow;
  isHot: boolean;
  choosing: AlarmSelection;
  selecting: boolean;
}

/** What the thumb finds at the end of a card. */
function Corner({ alarm, isHot, choosing, selecting }: CornerProps) {
  if (selecting) {
    return (
      <span className={classes.corner}>
        <RowCheckbox
          aria-label={`Select ${alarmName(alarm)}`}
          tabIndex={-1}
          checked={choosing.has(alarm.uuid)}
          onChange={() => choosing.toggle(alarm.uuid)}
        />
      </span>
    );
  }
  const able = choosing.acknowledgeable([alarm]);
  return able.length > 0 ? (
    <span className={classes.corner}>
      <Button
        variant={isHot ? 'filled' : 'default'}
        aria-label={`Acknowledge ${alarmName(alarm)}`}
        onClick={() => choosing.handle('acknowledge', able)}
      >
        Acknowledge
      </Button>
    </span>
  ) : null;
}
