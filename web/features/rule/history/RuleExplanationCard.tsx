import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../api/http.ts';
import { rangeOfDays } from '../../../kit/format/log-range.ts';
import { counted, formatNumber } from '../../../kit/format/number.ts';
import { Moment } from '../../../kit/list/cells.tsx';
import { withUnit } from '../../../ui/formats.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { now } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import editor from '../RuleEditor.module.css';
import { explainRuleQuery, type RuleExplanation } from './explain.queries.ts';
import type { Range } from './history.queries.ts';
import classes from './RuleExplanationCard.module.css';
import { transitionValue, transitionWords } from './transition-words.ts';

const spans = ['24 h', '7 d', '30 d', 'Days'] as const;
type Span = (typeof spans)[number];
const HOUR = 3_600_000;
const hours: Record<Exclude<Span, 'Days'>, number> = { '24 h': 24, '7 d': 7 * 24, '30 d': 30 * 24 };

/** Explains why the stored rule opened or did not open alarms in a chosen period. Ignores the draft. */
export function RuleExplanationCard({ ruleUuid, unit }: { ruleUuid: string; unit: string }) {
  const timeZone = useTimeZone();
  const [span, setSpan] = useState<Span>('24 h');
  const [days, setDays] = useState({ from: '', to: '' });
  const range = useMemo(() => rangeOf(span, days, timeZone), [span, days, timeZone]);
  const answer = useQuery({ ...explainRuleQuery(ruleUuid, range), placeholderData: keepPreviousData });
  const fired = answer.data?.because === 'opened' || answer.data?.because === 'already-open';
  const title = fired ? 'The rule fired' : 'Why did the rule not fire?';
  return (
    <section className={editor.card} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {span === 'Days' ? (
          <span className={classes.days}>
            {(['from', 'to'] as const).map((name) => (
              <input
                key={name}
                type="date"
                aria-label={name === 'from' ? 'First day' : 'Last day'}
                value={days[name]}
                onChange={(event) => setDays({ ...days, [name]: event.currentTarget.value })}
              />
            ))}
          </span>
        ) : null}
        <Segmented
          label="Period"
          options={spans.map((value) => ({ value, label: value }))}
          value={span}
          onChange={setSpan}
        />
      </div>
      {range === undefined ? (
        <EmptyState title="Choose the first and the last day">
          The last day must not be before the first day.
        </EmptyState>
      ) : answer.isError ? (
        <ErrorState title="The explanation could not be loaded" onRetry={() => void answer.refetch()}>
          {messageOf(answer.error)}
        </ErrorState>
      ) : answer.data ? (
        <Explanation found={answer.data} unit={unit} from={range.from} />
      ) : (
        <div className={editor.waiting} role="status" aria-label="Loading">
          <Skeleton width="60%" />
        </div>
      )}
    </section>
  );
}

const SHOWN = 20;

function Explanation({ found, unit, from }: { found: RuleExplanation; unit: string; from: string }) {
  const { versions, transitions, transitionCount, alarms, readings, lateReadings } = found;
  const begun = versions[0]?.from;
  return (
    <div className={classes.why}>
      <p className={classes.sentence}>{found.sentence}</p>
      <p className={editor.note}>
        {readings === 0 ? 'No reading was evaluated' : `${counted(readings, 'reading')} evaluated`}
        {begun !== undefined && Date.parse(begun) > Date.parse(from) ? (
          <>
            {' '}
            from <Moment at={begun} /> on
          </>
        ) : null}
        {lateReadings === 0 ? '' : `, ${formatNumber(lateReadings)} arrived too late to change an alarm`}
      </p>
      {versions.length > 1 || versions.some(({ sentence }) => !found.sentence.startsWith(sentence)) ? (
        <>
          <h3>By version</h3>
          <ul aria-label="By version">
            {versions.map((version) => (
              <li key={`${version.version} ${version.from}`}>
                <b>Version {version.version}</b>, <Moment at={version.from} /> to <Moment at={version.to} />:{' '}
                {version.sentence}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {alarms.length > 0 ? (
        <>
          <h3>Alarms of this rule</h3>
          <ul aria-label="Alarms of this rule">
            {alarms.slice(0, SHOWN).map((alarm) => (
              <li key={alarm.alarmUuid}>
                <Link to="/dashboard/alarms" search={{ alarm: alarm.alarmUuid } as never}>
                  <Moment at={alarm.openedAt} />
                </Link>{' '}
                {alarm.message}
                {alarm.resolvedAt === null ? ', still open' : ''}
              </li>
            ))}
            <More all={alarms.length} />
          </ul>
        </>
      ) : null}
      <h3>Events</h3>
      {transitions.length === 0 ? (
        <p className={editor.hint}>{nothingNoticed(alarms, from)}</p>
      ) : (
        <ol className={classes.transitions} aria-label="Events">
          {transitions.slice(0, SHOWN).map((transition, index) => {
            const value = transitionValue(transition);
            const alarm = alarms.find(({ alarmUuid }) => alarmUuid === transition.alarmUuid);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: only the index distinguishes two transitions at the same time.
              <li key={index}>
                <Moment at={transition.at} />
                <span>{transitionWords(transition, transitions[index - 1], alarm?.resolvedName)}</span>
                <span className={classes.value}>{value === null ? '' : withUnit(formatNumber(value), unit)}</span>
              </li>
            );
          })}
          <More all={transitionCount} />
        </ol>
      )}
    </div>
  );
}

function nothingNoticed(alarms: RuleExplanation['alarms'], from: string): string {
  if (alarms.length === 0) return 'No events in this period.';
  return alarms.some(({ openedAt }) => Date.parse(openedAt) >= Date.parse(from))
    ? 'Events of this period are no longer stored.'
    : 'No events in this period: the alarm stayed open.';
}

function More({ all }: { all: number }) {
  return all > SHOWN ? <li className={editor.note}>and {formatNumber(all - SHOWN)} more</li> : null;
}

/**
 * Returns the range to explain, or undefined if the chosen days are invalid. A range in hours ends one hour in the
 * future, so that it includes new readings. Its end is rounded up to a full minute, so that responses can be cached.
 */
function rangeOf(span: Span, days: { from: string; to: string }, timeZone: string): Range | undefined {
  if (span === 'Days') {
    const chosen = rangeOfDays(days.from, days.to, timeZone);
    return chosen && { from: chosen.from.toISOString(), to: chosen.to.toISOString() };
  }
  const minute = Math.ceil(now().getTime() / 60_000) * 60_000;
  return { from: new Date(minute - hours[span] * HOUR).toISOString(), to: new Date(minute + HOUR).toISOString() };
}
