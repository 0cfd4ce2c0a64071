import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { At } from '../../../kit/format/At.tsx';
import { formatNumber, readValue } from '../../../kit/format/value.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { withUnit } from '../../../ui/formats.ts';
import { Heading } from '../../../ui/Heading.tsx';
import { Age } from '../../../ui/time/Age.tsx';
import { now as clockNow } from '../../../ui/time/clock.ts';
import { newestDatapoint } from '../alarm-datapoint.ts';
import { ClearingSince } from '../ClearingSince.tsx';
import { clearingSince } from '../clearing.ts';
import { readConditions } from '../conditions.ts';
import { clearWords, debounceWords, limitValues, limitWords, readCriteria } from '../criteria.ts';
import { type HoldingRule, holdingRulesOf, isHeldOpen } from '../holding-rules.ts';
import { isInside } from '../value-outside.ts';
import classes from './AlarmDetail.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { escalationOf, escalationWords } from './escalation-words.ts';
import { trendAround } from './trend-link.ts';

/** Explains why the alarm opened: the rule and its limits at that time, the measured values, and the escalation. */
export function AlarmExplanation({ alarm }: { alarm: AlarmDetail }) {
  const facts = factsOf(alarm);
  if (facts.length === 0) {
    return null;
  }
  return (
    <section className={classes.section} aria-label="Why it fired">
      <Heading>Why it fired</Heading>
      <dl className={classes.facts}>
        {facts.map(([name, content]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function factsOf(alarm: AlarmDetail): [string, ReactNode][] {
  const criteria = readCriteria(alarm.criteria);
  const conditions = readConditions(alarm);
  const debounce = criteria && debounceWords(criteria);
  const clear = criteria && clearWords(criteria);
  const datapoint = alarm.datapointName || alarm.datapoint?.tocsinDatapointName;
  const isNumber = alarm.source === 'limits' && alarm.value !== null;
  const point = newestDatapoint(alarm);
  const now = point && readValue(point, undefined, limitValues(criteria));
  const facts: [string, ReactNode][] = [];
  if (alarm.source === 'person') {
    facts.push(['Reported', alarm.ruleName || 'by a person']);
  } else if (alarm.ruleName) {
    facts.push([
      'Rule',
      <>
        {alarm.ruleName}
        {alarm.ruleVersion === null ? null : <span className={classes.note}>, version {alarm.ruleVersion}</span>}
      </>,
    ]);
  }
  if (datapoint) {
    facts.push([
      'Data point',
      <>
        {datapoint}
        {alarm.datapoint && alarm.tocsinDatapointUuid ? (
          <>
            , <TrendLink alarm={alarm} datapoints={[alarm.tocsinDatapointUuid]} />
          </>
        ) : null}
      </>,
    ]);
  }
  if (criteria?.kind === 'conditions' && criteria.datapoints.length > 0) {
    facts.push([
      'Data points',
      <>
        {criteria.datapoints.length}, <TrendLink alarm={alarm} datapoints={criteria.datapoints} />
      </>,
    ]);
  }
  // If the conditions are stored, the component AlarmConditions shows them.
  if (criteria && conditions === null) facts.push(['Alarm', <b key="limit">{limitWords(criteria)}</b>]);
  if (clear) facts.push(['Clears', clear]);
  if (isNumber && alarm.value !== null) {
    facts.push(['Measured', withUnit(formatNumber(alarm.value, undefined, limitValues(criteria)), alarm.unit)]);
  }
  if (criteria?.kind === 'conditions' && criteria.measured && !conditions?.isRecorded)
    facts.push(['Measured', criteria.measured]);
  // The label is not "Outside since", because the debounce starts again if the alarm is resolved manually while the
  // value stays outside.
  if (alarm.pendingSince !== null && criteria?.kind !== 'silence') {
    facts.push([
      'Started',
      <>
        <At at={alarm.pendingSince} />
        {debounce ? ` (${debounce} debounce)` : ''}
      </>,
    ]);
  }
  if (alarm.pendingSince !== null && criteria?.kind === 'silence') {
    facts.push(['Last contact', <At key="heard" at={alarm.pendingSince} />]);
  }
  if (now && alarm.resolvedDate === null) {
    facts.push([
      'Value now',
      <>
        <b>{withUnit(now.text, now.unit)}</b>, <Age at={point?.lastUpdated ?? null} /> ago
      </>,
    ]);
  }
  // Only the first events of the timeline are fetched. If there are more events, the latest state of the alarm is
  // unknown.
  const isWhole = alarm.alarmEvents.totalCount === alarm.alarmEvents.nodes.length;
  const back =
    isWhole && alarm.resolvedDate === null && !isHeldOpen(alarm) ? clearingSince(rowsOf(alarm.alarmEvents)) : null;
  if (back) {
    facts.push(['Back to normal', <ClearingSince key="back" back={back} />]);
  }
  const holders = holdingRulesOf(alarm);
  if (holders.length > 0) {
    facts.push([
      isInside(criteria, point) && isHeldOpen(alarm) ? 'Kept open by' : 'Also kept open by',
      <Holders key="holders" holders={holders} />,
    ]);
  }
  if (alarm.occurrences > 1) {
    facts.push([
      'Happened',
      <>
        {alarm.occurrences.toLocaleString()} times, last <At at={alarm.lastOccurredAt} />
      </>,
    ]);
  }
  const escalation = escalationOf(alarm);
  const words = escalationWords(escalation, alarm.quietBecause);
  if (words !== null) {
    facts.push([
      'Escalation',
      <>
        {words} {escalation.state === 'waiting' ? <At at={escalation.nextAt} /> : null}
      </>,
    ]);
  }
  return facts;
}

/** Lists the other rules with the same message that keep the alarm open, each with its current value. */
function Holders({ holders }: { holders: readonly HoldingRule[] }) {
  return holders.map(({ ruleUuid, ruleName, datapointName, criteria, isClearing, ...point }) => {
    const now = readValue(point, undefined, limitValues(criteria));
    return (
      <div key={ruleUuid}>
        {ruleName}
        {now ? (
          <>
            : {datapointName} <b>{withUnit(now.text, now.unit)}</b>
          </>
        ) : null}
        <span className={classes.note}>
          {isClearing ? ', back to normal, debounce running' : criteria && now ? `, alarm ${limitWords(criteria)}` : ''}
        </span>
      </div>
    );
  });
}

function TrendLink({ alarm, datapoints }: { alarm: AlarmDetail; datapoints: readonly string[] }) {
  return (
    <Link
      className={classes.site}
      to="/dashboard/trend"
      search={trendAround(alarm, datapoints, clockNow().getTime()) as never}
    >
      trend around this time
    </Link>
  );
}
