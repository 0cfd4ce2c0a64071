import { Link } from '@tanstack/react-router';
import { dayOf } from '../../../../domain/report/range.ts';
import { NO_REASON } from '../../../../domain/report/reason.ts';
import { formatNumber } from '../../../kit/format/number.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import classes from './Advice.module.css';
import type { AlarmCounts, RuleAdvice } from './advice.queries.ts';
import { shareWords } from './advice-words.ts';

interface AdviceReasonsProps {
  uuid: string;
  advice: RuleAdvice;
  counts: AlarmCounts;
}

/** Shows the reasons that people gave when they acknowledged the rule's alarms. The numbers link to the alarms. */
export function AdviceReasons({ uuid, advice, counts }: AdviceReasonsProps) {
  const timeZone = useTimeZone();
  const { alarms, nuisance, real, unknown, chattering, fleeting, reasons } = counts;
  const range = { from: dayOf(new Date(advice.from), timeZone), to: dayOf(new Date(advice.to), timeZone), rule: uuid };
  const acknowledged = nuisance + real;
  return (
    <section className={classes.card} aria-label="Alarms of this rule">
      <div className={classes.head}>
        <h2>Alarms of this rule</h2>
        <span className={classes.quiet}>
          <Link className={classes.figureLink} to="/reports/alarms" search={range as never}>
            {formatNumber(alarms)}
          </Link>
        </span>
      </div>
      <div className={classes.body}>
        {acknowledged > 0 ? (
          <>
            <p className={classes.share}>
              <b>{shareWords(nuisance, acknowledged)}</b> of acknowledged alarms were nuisance alarms
            </p>
            <div
              className={classes.bar}
              role="img"
              aria-label={`${nuisance} nuisance, ${real} real, ${unknown} not acknowledged`}
            >
              <i data-class="nuisance" style={{ flexGrow: nuisance }} />
              <i data-class="real" style={{ flexGrow: real }} />
              <i data-class="unknown" style={{ flexGrow: unknown }} />
            </div>
          </>
        ) : null}
        <ul className={classes.reasons}>
          {reasons.map((each) => (
            <li key={`${each.class} ${each.reason}`}>
              <i data-class={each.class} aria-hidden />
              <span className={classes.reason}>{each.reason ?? 'Not acknowledged'}</span>
              <span className={classes.quiet}>{each.class === 'unknown' ? '' : each.class}</span>
              <Link
                className={classes.figureLink}
                to="/reports/alarms"
                search={{ ...range, reason: each.reason ?? NO_REASON } as never}
              >
                {formatNumber(each.alarms)}
              </Link>
            </li>
          ))}
        </ul>
        <ul className={classes.reasons} data-apart>
          <li>
            <i aria-hidden />
            <span className={classes.reason}>
              Chattering <span className={classes.quiet}>3 in a minute</span>
            </span>
            <span className={classes.quiet}>{shareWords(chattering, alarms)}</span>
            <span>{formatNumber(chattering)}</span>
          </li>
          <li>
            <i aria-hidden />
            <span className={classes.reason}>
              Fleeting <span className={classes.quiet}>resolved in 30 s</span>
            </span>
            <span className={classes.quiet}>{shareWords(fleeting, alarms)}</span>
            <span>{formatNumber(fleeting)}</span>
          </li>
        </ul>
      </div>
    </section>
  );
}
