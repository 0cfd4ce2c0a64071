import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbAntennaBarsOff } from 'react-icons/tb';
import { METHOD } from '../../../domain/notify/methods.ts';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { useActor } from '../auth/actor.ts';
import { counted } from '../list/number.ts';
import { useKeptMessages } from '../report/useReports.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import classes from './ChannelPage.module.css';
import { type ChannelState, channelStatesQuery } from './channel.queries.ts';
import { receiptHints, receiptsBy, setUpBy } from './channel-words.ts';
import { Outbox } from './Outbox.tsx';
import { SmsCost } from './SmsCost.tsx';
import { TestMessage } from './TestMessage.tsx';

/** How people are reached here, how that went of late, and a message to try it. */
export function ChannelPage() {
  useHeaderTitle('Channels');
  const actor = useActor();
  const states = useQuery(channelStatesQuery);
  return (
    <Page>
      <PageTitle>Channels</PageTitle>
      <p className={classes.lead}>
        Whoever installs Tocsin sets these up; docs/channels.md says how. What is not set up goes to the built-in
        outbox.
      </p>
      {states.isPending ? (
        <div className={classes.grid}>
          {[1, 2, 3, 4].map((place) => (
            <div key={place} className={classes.card}>
              <Skeleton width="40%" height={20} />
              {['50%', '42%', '56%', '48%'].map((width) => (
                <Skeleton key={width} width={width} />
              ))}
              <Skeleton height={36} />
            </div>
          ))}
        </div>
      ) : states.isError ? (
        <Card>
          <ErrorState title="The channels could not be loaded" onRetry={() => void states.refetch()}>
            {messageOf(states.error)}
          </ErrorState>
        </Card>
      ) : states.data.length === 0 ? (
        <Card>
          <EmptyState icon={TbAntennaBarsOff} title="No channel is known yet">
            The server writes them down when it starts. Look again in a moment.
          </EmptyState>
        </Card>
      ) : (
        <div className={classes.grid}>
          {states.data.map((state) => (
            <Channel key={state.methodType} state={state} />
          ))}
        </div>
      )}
      {can(actor, 'outbox.read') ? <Outbox /> : null}
    </Page>
  );
}

function Channel({ state }: { state: ChannelState }) {
  return (
    <section className={classes.card} aria-label={state.title}>
      <div className={classes.head}>
        <h2>{state.title}</h2>
        <span className={classes.state} data-off={!state.leavesTheHouse || undefined}>
          {state.leavesTheHouse ? `Set up (${state.name})` : 'Built-in outbox'}
        </span>
      </div>
      <dl className={classes.facts}>
        {state.leavesTheHouse ? (
          <>
            <dt>Last sent</dt>
            <dd>{state.sentOn === null ? 'Never' : <Ago at={state.sentOn} />}</dd>
          </>
        ) : (
          <>
            <dt>Sent</dt>
            <dd>
              Nothing; <Kept method={state.methodType} />
            </dd>
          </>
        )}
        <dt>Waiting</dt>
        <dd>{state.queued === 0 ? 'Nothing' : counted(state.queued, 'message')}</dd>
        <dt>Last error</dt>
        <dd>
          {state.failedOn === null ? (
            'None'
          ) : (
            <>
              <Ago at={state.failedOn} />
              <span className={classes.problem}>{state.problem}</span>
            </>
          )}
        </dd>
        <dt>Set up by</dt>
        <dd>
          <code>{setUpBy[state.methodType]}</code>
        </dd>
        {state.leavesTheHouse ? (
          <>
            <dt>Receipts</dt>
            <dd className={state.receiptAddress === null ? undefined : classes.receipts}>
              <Receipts state={state} />
            </dd>
          </>
        ) : null}
      </dl>
      {state.methodType === METHOD.sms ? <SmsCost /> : null}
      <TestMessage state={state} />
    </section>
  );
}

/** How many messages of a way without a sender lie in the outbox, and which. */
function Kept({ method }: { method: number }) {
  const kept = useKeptMessages();
  if (!kept.data) return kept.isError ? 'what is kept could not be counted' : '…';
  const messages = kept.data.find(({ methodType }) => methodType === method)?.messages ?? 0;
  // Mails of accounts are in the outbox too, and in no report.
  const besides = method === METHOD.email ? ', besides invitations and codes' : '';
  if (messages === 0) return `none kept in 30 days${besides}`;
  return (
    <>
      <Link to="/reports/delivery" search={{ method: String(method), state: 'kept' }}>
        {counted(messages, 'message')}
      </Link>{' '}
      kept in 30 days{besides}
    </>
  );
}

/** Whether the provider says that a message arrived, and where to. */
function Receipts({ state: { name, receiptAddress, receiptProblem } }: { state: ChannelState }) {
  if (receiptProblem !== null) return <span className={classes.problem}>None. {receiptProblem}</span>;
  if (receiptAddress !== null) {
    return (
      <>
        <CopyLine label="address for receipts">{new URL(receiptAddress, location.origin).href}</CopyLine>
        <span className={classes.problem}>{receiptHints[name]}</span>
      </>
    );
  }
  return receiptsBy[name] === undefined ? (
    'None: what was sent is not confirmed on this way'
  ) : (
    <>
      Not taken; <code>{receiptsBy[name]}</code> makes them
    </>
  );
}

function Ago({ at }: { at: string }) {
  return (
    <>
      <Age at={at} /> ago
    </>
  );
}
