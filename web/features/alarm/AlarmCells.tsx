import { VisuallyHidden } from '@mantine/core';
import { TbBellOff, TbUserCheck } from 'react-icons/tb';
import { At } from '../../kit/format/At.tsx';
import { acknowledgementOf } from '../../kit/format/alarm.ts';
import { readValue } from '../../kit/format/value.ts';
import { withUnit } from '../../ui/formats.ts';
import { Age } from '../../ui/time/Age.tsx';
import classes from './AlarmList.module.css';
import type { AlarmReading, AlarmRow } from './alarm.queries.ts';
import { newestDatapoint } from './alarm-datapoint.ts';
import { summarizeConditions } from './conditions.ts';
import { limitValues, limitWords, pastLimitWords, readCriteria, shortLimitWords } from './criteria.ts';
import { isHeldOpen, shownReading } from './holding-rules.ts';
import { isUnnotified, notifiedWords } from './notified-words.ts';
import { isInside } from './value-outside.ts';

/** Shows the number of occurrences if the alarm occurred more than once. */
export function Occurrences({ alarm }: { alarm: AlarmRow }) {
  const { occurrences } = alarm;
  return occurrences > 1 ? (
    <span className={classes.times}>
      <span aria-hidden>×{occurrences.toLocaleString()}</span>
      <VisuallyHidden>happened {occurrences.toLocaleString()} times</VisuallyHidden>
    </span>
  ) : null;
}

/**
 * Shows the current value. For an offline site, shows the time since its last data. For several conditions, shows how
 * many are met.
 */
export function Value({ alarm }: { alarm: AlarmReading }) {
  if (alarm.severity === 'silent') {
    return <Age at={alarm.site?.lastUpdate ?? null} never="" />;
  }
  const conditions = summarizeConditions(alarm);
  if (conditions) {
    return withUnit(conditions.value, conditions.unit);
  }
  const { criteria, point } = shownReading(alarm);
  const value = point && readValue(point, undefined, limitValues(criteria));
  return value ? withUnit(value.text, value.unit) : null;
}

type OpenOrPast = AlarmReading & Pick<AlarmRow, 'resolvedDate'>;

/** Returns true if the alarm is open, its value is back to normal and no other rule keeps it open. */
export function isValueInside(alarm: OpenOrPast): boolean {
  if (alarm.resolvedDate !== null || isHeldOpen(alarm)) {
    return false;
  }
  return summarizeConditions(alarm)?.isInside ?? isInside(readCriteria(alarm.criteria), newestDatapoint(alarm));
}

/** Shows the limit in short form, in the past tense (`was above 4.2`) if the value is back to normal. */
export function Limit({ alarm }: { alarm: OpenOrPast }) {
  const { criteria } = shownReading(alarm);
  const conditions = summarizeConditions(alarm);
  if (conditions?.isCounted) {
    return conditions.limit;
  }
  const words = conditions?.limit ?? (criteria && shortLimitWords(criteria));
  return words && isValueInside(alarm) ? `was ${words}` : words;
}

/** Shows the value and the limit in one line: `4.5 m above 4.2`, `2 of 2 conditions met`. */
export function Reading({ alarm }: { alarm: OpenOrPast }) {
  const conditions = summarizeConditions(alarm);
  if (conditions?.isCounted) {
    return <b>{conditions.sentence}</b>;
  }
  return (
    <>
      <b>
        <Value alarm={alarm} />
      </b>{' '}
      <Limit alarm={alarm} />
    </>
  );
}

/** Shows the limit in full, for places that do not show the value. */
export function FullLimit({ alarm }: { alarm: OpenOrPast }) {
  const { criteria } = shownReading(alarm);
  const isPast = criteria?.kind !== 'conditions' && isValueInside(alarm);
  return criteria && (isPast ? pastLimitWords(criteria) : limitWords(criteria));
}

interface ResponseProps {
  alarm: AlarmRow;
  /** True if the column is headed “Acknowledged”. The cell then shows `nobody` for an unacknowledged alarm. */
  isAcknowledgedColumn?: boolean | undefined;
}

/** Shows who acknowledged the alarm and when, or how many people were notified. */
export function Response({ alarm, isAcknowledgedColumn }: ResponseProps) {
  const acknowledgement = acknowledgementOf(alarm.acknowledgeJson);
  if (acknowledgement !== null) {
    return (
      <span className={classes.who}>
        <TbUserCheck size={14} strokeWidth={1.75} aria-label="Acknowledged by" role="img" />
        <span>
          {acknowledgement.name} <At at={acknowledgement.at} />
        </span>
      </span>
    );
  }
  return (
    <span className={classes.quiet}>
      {isAcknowledgedColumn ? 'nobody' : null}
      {isAcknowledgedColumn && alarm.notifiedCount ? ', ' : null}
      {isAcknowledgedColumn && !alarm.notifiedCount ? null : <NotifiedCount alarm={alarm} />}
    </span>
  );
}

type NotifiedAlarm = Pick<AlarmRow, 'notifiedCount' | 'notNotifiedBecause' | 'notNotifiedMethods' | 'escalationStep'>;

/** Shows how many people were notified, or the reason why nobody was notified. */
export function NotifiedCount({ alarm }: { alarm: NotifiedAlarm }) {
  return (
    <>
      {isUnnotified(alarm) ? (
        <span className={classes.unnotified}>
          <TbBellOff size={14} strokeWidth={1.75} aria-hidden />
          {notifiedWords(alarm)}
        </span>
      ) : (
        notifiedWords(alarm)
      )}
      {alarm.escalationStep > 0 ? <b>, escalated</b> : null}
    </>
  );
}
