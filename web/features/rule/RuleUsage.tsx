import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { plural } from '../../../domain/plural.ts';
import { counted } from '../../kit/format/number.ts';
import { Moment } from '../../kit/list/cells.tsx';
import classes from './RuleEditor.module.css';
import { alarmsOfRuleQuery, ruleUsageQuery } from './rule-usage.queries.ts';
import { versionWords } from './rule-words.ts';

interface RuleUsageProps {
  ruleUuid: string;
  datapointUuid: string;
  siteId: string | undefined;
  unit: string;
}

const FEW = 5;

/** Shows where a rule is used, the other rules of its data point, and its earlier versions. */
export function RuleUsage({ ruleUuid, datapointUuid, siteId, unit }: RuleUsageProps) {
  const use = useQuery(ruleUsageQuery(ruleUuid, datapointUuid, siteId)).data;
  const alarms = useQuery(alarmsOfRuleQuery(ruleUuid)).data;
  const [allOf, setAllOf] = useState<string | null>(null);
  if (!use || !alarms) return null;
  const versions = allOf === ruleUuid ? use.versions : use.versions.slice(0, FEW);
  const more = use.versionCount - versions.length;
  return (
    <section className={classes.card} aria-label="Usage and versions">
      <div className={classes.cardHead}>
        <h2>Usage and versions</h2>
      </div>
      <div className={classes.use}>
        <div>
          <p>
            {alarms.all === 0
              ? 'This rule has opened no alarms yet.'
              : `This rule has opened ${counted(alarms.all, 'alarm')}. ${alarms.open === 0 ? 'No alarm' : alarms.open} ${plural(Math.max(alarms.open, 1), 'is', 'are')} open.`}
          </p>
          {use.actions > 0 ? <p>Alarms of the data point trigger {counted(use.actions, 'action')}.</p> : null}
          {use.rules.length + use.conditions.length > 0 ? (
            <>
              <p>Other rules of this data point:</p>
              <ul>
                {use.rules.map((rule) => (
                  <li key={rule.uuid}>
                    <Link to="/admin/rules" search={{ record: rule.uuid } as never}>
                      {rule.name}
                    </Link>
                  </li>
                ))}
                {use.conditions.map((rule) => (
                  <li key={rule.uuid}>
                    <Link to="/admin/rules" search={{ tab: 'conditions', record: rule.uuid } as never}>
                      {rule.ruleName}
                    </Link>
                    , multi-condition rule
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <p className={classes.hint}>No other rule uses this data point.</p>
          )}
        </div>
        <ol className={classes.versions} aria-label="Versions">
          {versions.map((version) => (
            <li key={version.version}>
              <b>Version {version.version}</b> {versionWords(version, unit)}
              <span className={classes.note}>
                {version.changedBy ? `${version.changedBy}, ` : ''}
                <Moment at={version.createdAt} />
              </span>
            </li>
          ))}
          {more === 0 ? null : versions.length < use.versions.length ? (
            <li>
              <button type="button" className={classes.more} onClick={() => setAllOf(ruleUuid)}>
                Show {counted(more, 'earlier version')}
              </button>
            </li>
          ) : (
            <li className={classes.hint}>
              {counted(more, 'earlier version')} {plural(more, 'is', 'are')} not listed here.
            </li>
          )}
        </ol>
      </div>
    </section>
  );
}
