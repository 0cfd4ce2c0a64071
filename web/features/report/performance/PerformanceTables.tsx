import { formatSeconds } from '../../../../domain/age.ts';
import { percentWords } from '../../../../domain/report/percent.ts';
import {
  BUSY_ALARMS,
  causeWords,
  decimalWords,
  loadPerDay,
  percentOf,
  severityShares,
  unnotified,
} from '../../../../domain/report/performance.ts';
import type { PerformanceTargets } from '../../../../domain/report/performance-targets.ts';
import { severityNames } from '../../../../domain/rule/priority.ts';
import { counted } from '../../../kit/format/number.ts';
import { StateMark } from '../../../ui/StateMark.tsx';
import type { ReportView } from '../useReportView.ts';
import { FigureLink } from './FigureLink.tsx';
import { Meter } from './Measures.tsx';
import classes from './Performance.module.css';
import tables from './PerformanceTables.module.css';
import type { PerformanceReport } from './performance.queries.ts';

interface PartProps {
  report: ReportView;
  data: PerformanceReport;
}

/** Shows the distribution of severities beside the target distribution. */
export function Severities({ report, data, targets }: PartProps & { targets: PerformanceTargets }) {
  const rows = severityShares(data, targets);
  return (
    <section className={classes.card}>
      <div className={classes.head}>
        <h2>Severity distribution</h2>
        <span className={classes.muted}>target {rows.map(({ target }) => target).join(' / ')} %</span>
      </div>
      <ul className={tables.shares} aria-label="Severity distribution">
        {rows.map(({ severity, alarms, share, target, state }) => (
          <li key={severity}>
            <StateMark state={severity} acknowledged />
            <Meter share={share / 100} mark={target / 100} above={state === 'above'} wide />
            <span data-strong={state === 'above' || undefined}>{percentWords(share)}</span>
            <FigureLink
              report={report}
              alarms={{ severity }}
              label={`${severityNames[severity]}: ${counted(alarms, 'alarm')}`}
            >
              {alarms.toLocaleString()}
            </FigureLink>
          </li>
        ))}
      </ul>
      {data.silent > 0 ? (
        <p className={classes.hint}>
          <FigureLink
            report={report}
            alarms={{ severity: 'silent' }}
            label={`${counted(data.silent, 'alarm')} of silent sites`}
          >
            {counted(data.silent, 'alarm')}
          </FigureLink>{' '}
          of silent sites have no priority and are left out.
        </p>
      ) : null}
    </section>
  );
}

/** Counts the alarms that need a better rule, and the alarms that notified nobody. */
export function Quality({ report, data, targets }: PartProps & { targets: PerformanceTargets }) {
  const rows = [
    { only: 'chattering', name: 'Chattering', note: '3 of a rule in a minute', alarms: data.chattering },
    { only: 'fleeting', name: 'Fleeting', note: 'resolved in 30 s', alarms: data.fleeting },
    { only: 'stale', name: 'Stale', note: `open over ${targets.staleHours} h`, alarms: data.stale },
  ];
  const share = (alarms: number) => percentWords(percentOf(alarms, data.alarms));
  return (
    <section className={classes.card}>
      <div className={classes.head}>
        <h2>Alarm quality</h2>
      </div>
      <table className={tables.table} aria-label="Alarm quality">
        <tbody>
          {rows.map(({ only, name, note, alarms }) => {
            const isAbove = only === 'stale' && alarms > targets.staleTarget;
            return (
              <tr key={only}>
                <th scope="row">
                  <span>
                    {name} <span className={classes.muted}>{note}</span>
                  </span>
                </th>
                <td>
                  <FigureLink
                    report={report}
                    alarms={{ only }}
                    label={`${name}: ${alarms.toLocaleString()}`}
                    strong={isAbove}
                  >
                    {alarms.toLocaleString()}
                  </FigureLink>
                </td>
                <td data-strong={isAbove || undefined}>
                  {isAbove ? `above ${targets.staleTarget.toLocaleString()}` : share(alarms)}
                </td>
              </tr>
            );
          })}
          <tr>
            <th scope="row">
              <span>
                Acknowledged <span className={classes.muted}>median, 90th percentile</span>
              </span>
            </th>
            <td>
              <FigureLink
                report={report}
                alarms={{ only: 'acknowledged' }}
                label={`Acknowledged: ${data.acknowledged.toLocaleString()}`}
              >
                {data.acknowledged.toLocaleString()}
              </FigureLink>
            </td>
            <td>
              <FigureLink
                report={report}
                alarms={{ only: 'acknowledged' }}
                label={`${formatSeconds(data.medianSeconds)}, ${formatSeconds(data.p90Seconds)}: median and 90th percentile of the time to acknowledge`}
              >
                {formatSeconds(data.medianSeconds)}, {formatSeconds(data.p90Seconds)}
              </FigureLink>
            </td>
          </tr>
          <tr className={tables.group}>
            <th scope="rowgroup" colSpan={3}>
              Not notified, by reason
            </th>
          </tr>
          {data.causes.length === 0 ? (
            <tr>
              <td colSpan={3} className={tables.none}>
                No alarm was shelved, suppressed or without a working recipient.
              </td>
            </tr>
          ) : (
            data.causes.map((row) => (
              <tr key={`${row.kind} ${row.cause}`}>
                <th scope="row">
                  <span>{causeWords(row)}</span>
                </th>
                <td>
                  <FigureLink
                    report={report}
                    alarms={{ only: row.kind, cause: row.cause }}
                    label={`${causeWords(row)}: ${counted(row.alarms, 'alarm')}`}
                    strong={row.kind === 'unreached'}
                  >
                    {row.alarms.toLocaleString()}
                  </FigureLink>
                </td>
                <td>{share(row.alarms)}</td>
              </tr>
            ))
          )}
          {unnotified(data, 'shelved') > 0 ? (
            <tr>
              <th scope="row">
                <span>All shelved alarms</span>
              </th>
              <td>
                <FigureLink
                  report={report}
                  alarms={{ only: 'shelved' }}
                  label={`All shelved alarms: ${unnotified(data, 'shelved').toLocaleString()}`}
                >
                  {unnotified(data, 'shelved').toLocaleString()}
                </FigureLink>
              </td>
              <td>{share(unnotified(data, 'shelved'))}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </section>
  );
}

/** Shows the alarm load of each recipient. */
export function Recipients({ report, data }: PartProps) {
  const most = Math.max(1, ...data.recipients.map(({ alarms }) => alarms));
  const mean = data.recipientAlarms / Math.max(1, data.recipientCount);
  return (
    <section className={classes.card}>
      <div className={classes.head}>
        <h2>Load per recipient</h2>
      </div>
      {data.recipients.length === 0 ? (
        <p className={classes.hint}>No alarms in this period had recipients. Add recipients to the rules.</p>
      ) : (
        <table className={tables.table} aria-label="Load per recipient">
          <thead>
            <tr>
              <th scope="col">Recipient</th>
              <th scope="col">Per day</th>
              <th scope="col">Peak</th>
              <th scope="col">To ack.</th>
            </tr>
          </thead>
          <tbody>
            {data.recipients.map(({ uuid, name, alarms, peak, meanSeconds }) => (
              <tr key={uuid}>
                <th scope="row">
                  <span>{name || 'Deleted user'}</span>
                </th>
                <td>
                  <i className={tables.bar} style={{ width: `${(24 * alarms) / most}px` }} />
                  <FigureLink
                    report={report}
                    alarms={{ recipient: uuid ?? '', only: 'addressed' }}
                    label={`${name}: ${decimalWords(loadPerDay(alarms, data))} per day, ${counted(alarms, 'alarm')}`}
                  >
                    {decimalWords(loadPerDay(alarms, data))}
                  </FigureLink>
                </td>
                <td>
                  <FigureLink
                    report={report}
                    alarms={{ recipient: uuid ?? '', only: 'addressed' }}
                    label={`${name}, peak in 10 min: ${peak.toLocaleString()}`}
                    strong={peak > BUSY_ALARMS}
                  >
                    {peak.toLocaleString()}
                  </FigureLink>
                </td>
                <td>
                  <FigureLink
                    report={report}
                    alarms={{ recipient: uuid ?? '', only: 'acknowledged' }}
                    label={`${name}, mean time to acknowledge: ${formatSeconds(meanSeconds)}`}
                  >
                    {formatSeconds(meanSeconds)}
                  </FigureLink>
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Mean of {data.recipientCount.toLocaleString()}</th>
              <td>
                <FigureLink
                  report={report}
                  alarms={{ only: 'addressed' }}
                  label={`Mean of ${counted(data.recipientCount, 'recipient')}: ${decimalWords(loadPerDay(mean, data))} a day`}
                >
                  {decimalWords(loadPerDay(mean, data))}
                </FigureLink>
              </td>
              <td />
              <td />
            </tr>
          </tfoot>
        </table>
      )}
      <p className={classes.hint}>
        Peak: most alarms in 10 minutes, bold if above 10. To ack.: mean time to acknowledge.
      </p>
    </section>
  );
}
