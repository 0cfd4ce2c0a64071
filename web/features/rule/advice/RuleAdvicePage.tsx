import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../api/http.ts';
import { counted } from '../../../kit/format/number.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Card, PageTitle } from '../../../ui/Page.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { PageSkeleton } from '../../../ui/Skeleton.tsx';
import { formatDate } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import classes from './Advice.module.css';
import { AdviceChart } from './AdviceChart.tsx';
import { DismissAdvice, DismissedAdvice } from './AdviceDismissal.tsx';
import { AdviceFigures } from './AdviceFigures.tsx';
import { AdviceProposal } from './AdviceProposal.tsx';
import { AdviceReasons } from './AdviceReasons.tsx';
import { AdviceTrials } from './AdviceTrials.tsx';
import { type RuleAdvice, ruleAdviceQuery } from './advice.queries.ts';

const spans = ['30', '90'] as const;
type Span = (typeof spans)[number];

/** Shows which settings of a rule would avoid nuisance alarms. Does not change the rule. */
export default function RuleAdvicePage({ uuid }: { uuid: string }) {
  const [span, setSpan] = useState<Span>('90');
  const advice = useQuery({ ...ruleAdviceQuery(uuid, Number(span)), placeholderData: keepPreviousData });
  const found = advice.data;
  const hasAdvice = found?.because === 'proposal';
  const title = (
    <PageTitle
      above={
        <>
          <Link to="/admin/rules">Rules &amp; Alerts</Link>
          {found?.siteName ? ` › ${found.siteName}` : ''}
        </>
      }
      facts={found?.version ? <span className={classes.quiet}>Version {found.version}</span> : null}
      actions={
        <>
          <Segmented
            label="Period"
            options={spans.map((value) => ({ value, label: `${value} d` }))}
            value={span}
            onChange={setSpan}
          />
          <Button variant="default" component={Link} to="/admin/rules" search={{ record: uuid } as never}>
            Edit rule
          </Button>
          {hasAdvice ? <DismissAdvice uuid={uuid} /> : null}
        </>
      }
    >
      {found?.ruleName ? `Advice: ${found.ruleName}` : 'Advice'}
    </PageTitle>
  );
  return (
    <>
      {title}
      {advice.isPending ? (
        <PageSkeleton inside />
      ) : advice.isError ? (
        <Card>
          <ErrorState title="The advice could not be loaded" onRetry={() => void advice.refetch()}>
            {messageOf(advice.error)}
          </ErrorState>
        </Card>
      ) : found === null || found === undefined ? (
        <Card>
          <EmptyState title="Rule not found">It was deleted, or you do not have access to it.</EmptyState>
        </Card>
      ) : (
        <div aria-busy={advice.isPlaceholderData} className={classes.page}>
          {hasAdvice ? <DismissedAdvice uuid={uuid} /> : null}
          <Loaded key={`${uuid} ${found.from}`} uuid={uuid} advice={found} />
        </div>
      )}
    </>
  );
}

const nothing: Readonly<Record<string, string>> = {
  'no-better': 'No better settings found',
  'no-alarms': 'No alarms in this period',
  'no-acknowledgements': 'No acknowledgements in this period',
  'no-nuisance': 'No nuisance alarms in this period',
  'few-nuisance': 'Too few nuisance alarms in this period',
  'few-readings': 'Too few readings in this period',
  conditions: 'No advice for this kind of rule',
  digital: 'No advice for this kind of rule',
};

function Loaded({ uuid, advice }: { uuid: string; advice: RuleAdvice }) {
  const [chosen, setChosen] = useState(0);
  const { because, recorded, present, trials, sentence } = advice;
  const trial = trials[chosen];
  const title = nothing[because];
  const empty =
    title === undefined ? null : (
      <Card>
        <EmptyState
          title={title}
          action={
            because === 'no-nuisance' || because === 'few-nuisance' ? (
              <Button variant="default" component={Link} to="/admin/rules" search={{ tab: 'reasons' } as never}>
                Show reasons
              </Button>
            ) : null
          }
        >
          {sentence}
        </EmptyState>
      </Card>
    );
  if (!recorded || !present) return empty;
  const hasReadings = advice.days.some(({ readings }) => readings > 0);
  return (
    <>
      {empty}
      <div className={classes.layout}>
        <div className={classes.column}>
          {recorded.alarms > 0 ? <AdviceReasons uuid={uuid} advice={advice} counts={recorded} /> : null}
          {trial ? (
            <AdviceProposal
              uuid={uuid}
              version={advice.version ?? 1}
              unit={advice.unit ?? ''}
              present={present}
              trial={trial}
              isProposal={because === 'proposal' && chosen === 0}
            />
          ) : null}
        </div>
        <div className={classes.column}>
          {hasReadings ? (
            <section className={classes.card} aria-label="Before and after">
              <Head title="Before and after, on stored readings">
                <Replayed advice={advice} />
              </Head>
              <AdviceChart advice={advice} present={present} trial={trial} />
              {trial ? <AdviceFigures present={present} trial={trial} counts={recorded} /> : null}
              {advice.notes.length > 0 ? <p className={classes.notes}>{advice.notes.join(' ')}</p> : null}
            </section>
          ) : null}
          {trial ? (
            <section className={classes.card} aria-label="Settings tried">
              <Head title="Settings tried">{counted(advice.tried, 'setting')}; the best are listed</Head>
              <AdviceTrials present={present} trials={trials} chosen={chosen} onChoose={setChosen} />
            </section>
          ) : null}
        </div>
      </div>
    </>
  );
}

function Head({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.head}>
      <h2>{title}</h2>
      <span className={classes.quiet}>{children}</span>
    </div>
  );
}

/**
 * Shows how many readings were replayed. If the oldest stored reading is later than the start of the period, also shows
 * the date from which readings are stored.
 */
function Replayed({ advice }: { advice: RuleAdvice }) {
  const timeZone = useTimeZone();
  const { readings, replayedFrom, from, days } = advice;
  const filled = days.filter((day) => day.readings > 0).length;
  const since =
    replayedFrom && Date.parse(replayedFrom) - Date.parse(from) > 86_400_000
      ? `, stored since ${formatDate(new Date(replayedFrom), timeZone)}`
      : '';
  return <>{`${counted(readings ?? 0, 'reading')} on ${counted(filled, 'day')}${since}`}</>;
}
