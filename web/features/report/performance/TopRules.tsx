import { Link } from '@tanstack/react-router';
import { can } from '../../../../domain/permission.ts';
import { percentWords } from '../../../../domain/report/percent.ts';
import { percentOf } from '../../../../domain/report/performance.ts';
import { FEWEST_NUISANCE } from '../../../../domain/rule/advice/past-alarm.ts';
import { severityOf } from '../../../kit/format/alarm.ts';
import { counted } from '../../../kit/format/number.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { StateMark } from '../../../ui/StateMark.tsx';
import { ruleEditorLink } from '../alarms/rule-editor-link.ts';
import type { ReportView } from '../useReportView.ts';
import { FigureLink } from './FigureLink.tsx';
import classes from './Performance.module.css';
import tables from './PerformanceTables.module.css';
import type { PerformanceReport, PerformanceRule } from './performance.queries.ts';

interface TopRulesProps {
  report: ReportView;
  data: PerformanceReport;
}

/** The ten rules with the most alarms. The name links to the rule, the numbers to the alarms. */
export function TopRules({ report, data }: TopRulesProps) {
  const editsRules = can(useActor(), 'rule.update');
  return (
    <section className={classes.card}>
      <div className={classes.head}>
        <h2>Top ten rules</h2>
        <span className={classes.muted}>
          <FigureLink
            report={report}
            alarms={{ only: 'top' }}
            label={`${counted(data.topAlarms, 'alarm')} of the top ten rules`}
          >
            {data.topAlarms.toLocaleString()}
          </FigureLink>{' '}
          of {counted(data.alarms, 'alarm')}
        </span>
      </div>
      {data.rules.length === 0 ? (
        <p className={classes.hint}>No rule had an alarm in this period.</p>
      ) : (
        <>
          <table className={tables.table} aria-label="Top ten rules">
            <thead>
              <tr>
                <th scope="col">Rule and site</th>
                <th scope="col">Alarms</th>
                <th scope="col" className={tables.detail}>
                  Share
                </th>
                <th scope="col">Nuisance</th>
                {editsRules ? <th scope="col">Advice</th> : null}
              </tr>
            </thead>
            <tbody>
              {data.rules.map((rule) => (
                <RuleRow key={rule.uuid} report={report} data={data} rule={rule} />
              ))}
            </tbody>
          </table>
          <p className={classes.hint}>Nuisance: share of the acknowledgements with a nuisance reason.</p>
        </>
      )}
    </section>
  );
}

function RuleRow({ report, data, rule }: TopRulesProps & { rule: PerformanceRule }) {
  const editsRules = can(useActor(), 'rule.update');
  const most = Math.max(1, ...data.rules.map((other) => other.alarms ?? 0));
  const alarms = rule.alarms ?? 0;
  const [nuisance, acknowledged] = [rule.nuisance ?? 0, rule.acknowledged ?? 0];
  const isMostlyNuisance = nuisance > acknowledged / 2;
  const hasAdvice = rule.source === 'limits' && nuisance >= FEWEST_NUISANCE && !rule.isAdviceDismissed;
  return (
    <tr>
      <th scope="row">
        <StateMark state={severityOf(rule.severity ?? '')} look="shape" acknowledged />
        <span>
          {editsRules ? (
            <Link className={classes.fig} {...ruleEditorLink(rule)}>
              {rule.ruleName}
            </Link>
          ) : (
            rule.ruleName
          )}{' '}
          <span className={classes.muted}>{rule.siteName}</span>
        </span>
      </th>
      <td>
        <FigureLink
          report={report}
          alarms={{ rule: rule.uuid ?? '' }}
          label={`${counted(alarms, 'alarm')} of ${rule.ruleName}, ${rule.siteName}`}
        >
          {alarms.toLocaleString()}
        </FigureLink>
      </td>
      <td className={tables.detail}>
        <i className={tables.bar} style={{ width: `${(26 * alarms) / most}px` }} />
        {percentWords(percentOf(alarms, data.alarms))}
      </td>
      <td>
        {acknowledged === 0 ? (
          '–'
        ) : (
          <>
            <i
              className={tables.bar}
              data-above={isMostlyNuisance || undefined}
              style={{ width: `${(26 * nuisance) / acknowledged}px` }}
            />
            <FigureLink
              report={report}
              alarms={{ rule: rule.uuid ?? '', only: 'nuisance' }}
              strong={isMostlyNuisance}
              label={`${percentWords(percentOf(nuisance, acknowledged))} nuisance: ${nuisance.toLocaleString()} of ${counted(acknowledged, 'acknowledgement')} of ${rule.ruleName}, ${rule.siteName}`}
            >
              {percentWords(percentOf(nuisance, acknowledged))}
            </FigureLink>
          </>
        )}
      </td>
      {editsRules ? (
        <td>
          {hasAdvice ? (
            <Link
              className={classes.fig}
              to="/admin/rules"
              search={{ record: rule.uuid ?? '', view: 'advice' } as never}
              aria-label={`Show advice for ${rule.ruleName}, ${rule.siteName}`}
            >
              Show
            </Link>
          ) : (
            '–'
          )}
        </td>
      ) : null}
    </tr>
  );
}
