import { VisuallyHidden } from '@mantine/core';
import { TbBellOff, TbUserCheck } from 'react-icons/tb';
import { At } from '../../kit/format/At.tsx';
import { acknowledgementOf } from '../../kit/format/alarm.ts';
import { readValue } from '../../kit/format/value.ts';
import { withUnit } from '../../ui/formats.ts';
import { Age } from '../../ui/time/Age.tsx';
import classes from './AlarmList.module.css';
import type { AlarmReading, AlarmRow } from './alarm.queries.ts';
import { pointOf } from './alarm-datapoint.ts';
import { conditionsInShort } from './conditions.ts';
import { isHeldOpen, shownOf } from './holding-rules.ts';
import { limitInShort, limitsIn, limitWords, limitWordsOfBack, readJudgedBy } from './judged-by.ts';
import { isUnnotified, notifiedWords } from './notified-words.ts';
import { isInside } from './value-outside.ts';

/** How often it happened while it was open, where that is more than once. */
export function Occurrences({ alarm }: { alarm: AlarmRow }) {
  const { occurrences } = alarm;
  return occurrences > 1 ? (
    <span className={classes.times}>
      <span aria-hidden>×{occurrences.toLocaleString()}</span>
      <VisuallyHidden>happened {occurrences.toLocaleString()} times</VisuallyHidden>
    </span>
  ) : null;
}

/** The value as it is now; of a silent site how long it has not been heard, and of conditions how many of them hold. */
export function Value({ alarm }: { alarm: AlarmReading }) {
  if (alarm.severity === 'silent') {
    return <Age at={alarm.site?.lastUpdate ?? null} never="" />;
  }
  const conditions = conditionsInShort(alarm);
  if (conditions) {
    return withUnit(conditions.value, conditions.unit);
  }
  const { judged, point } = shownOf(alarm);
  const value = point && readValue(point, undefined, limitsIn(judged));
  return value ? withUnit(value.text, value.unit) : null;
}

type OpenOrPast = AlarmReading & Pick<AlarmRow, 'resolvedDate'>;

/** Whether the value that is shown is in alarm no more, though the alarm is not over yet. */
export function isValueInside(alarm: OpenOrPast): boolean {
  if (alarm.resolvedDate !== null || isHeldOpen(alarm)) {
    return false;
  }
  return conditionsInShort(alarm)?.isInside ?? isInside(readJudgedBy(alarm.judgedBy), pointOf(alarm));
}

/** What the value was judged by, in short; in the past tense beside a value that is back. */
export function Limit({ alarm }: { alarm: OpenOrPast }) {
  const { judged } = shownOf(alarm);
  const conditions = conditionsInShort(alarm);
  if (conditions?.isCounted) {
    return conditions.limit;
  }
  const words = conditions?.limit ?? (judged && limitInShort(judged));
  return words && isValueInside(alarm) ? `was ${words}` : words;
}

/** The value and what it is judged by in one line: `4.5 m above 4.2`, `2 of 2 conditions hold`. */
export function Reading({ alarm }: { alarm: OpenOrPast }) {
  const conditions = conditionsInShort(alarm);
  if (conditions?.isCounted) {
    return <b>{conditions.together}</b>;
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

/** The same in full, where no value stands beside it. */
export function LimitInFull({ alarm }: { alarm: OpenOrPast }) {
  const { judged } = shownOf(alarm);
  const isPast = judged?.kind !== 'conditions' && isValueInside(alarm);
  return judged && (isPast ? limitWordsOfBack(judged) : limitWords(judged));
}

interface ToldProps {
  alarm: AlarmRow;
  /** What it stands under asks for who acknowledged alone. */
  isWho?: boolean | undefined;
}

/** Who took it on and when, or how many have been told. */
export function Told({ alarm, isWho }: ToldProps) {
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
      {isWho ? 'nobody' : null}
      {isWho && alarm.toldCount ? ', ' : null}
      {isWho && !alarm.toldCount ? null : <ToldSoFar alarm={alarm} />}
    </span>
  );
}

/** How many a message has reached, or why it reached nobody. */
type ToldAlarm = Pick<AlarmRow, 'toldCount' | 'untoldBecause' | 'untoldMethods' | 'escalationStep'>;

export function ToldSoFar({ alarm }: { alarm: ToldAlarm }) {
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
