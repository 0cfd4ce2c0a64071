import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbAntennaBarsOff } from 'react-icons/tb';
import { METHOD, methodTitle } from '../../../domain/notification/methods.ts';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { counted } from '../../kit/format/number.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { useActor } from '../../kit/session/actor.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { useKeptMessages } from '../report/index.ts';
import { Outbox } from './Outbox.tsx';
import classes from './SenderPage.module.css';
import { SmsCost } from './SmsCost.tsx';
import { type SenderState, senderStatesQuery } from './sender.queries.ts';
import { answerHints, receiptHints, reportsDeliveries, requestText, setups } from './sender-words.ts';
import { TestMessage } from './TestMessage.tsx';

/** Page with the sender of each method, its recent results and a test message. Owners also see the outbox. */
export function SenderPage() {
  useHeaderTitle('Senders');
  const actor = useActor();
  const states = useQuery(senderStatesQuery);
  return (
    <Page>
      <PageTitle>Senders</PageTitle>
      <p className={classes.lead}>
        A sender delivers notifications by one method. The administrator of this installation sets up the senders.
        Without a sender, notifications stay in the built-in outbox and reach nobody.
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
          <ErrorState title="The senders could not be loaded" onRetry={() => void states.refetch()}>
            {messageOf(states.error)}
          </ErrorState>
        </Card>
      ) : states.data.length === 0 ? (
        <Card>
          <EmptyState icon={TbAntennaBarsOff} title="No senders yet">
            The server lists its senders when it starts. Try again in a moment.
          </EmptyState>
        </Card>
      ) : (
        <div className={classes.grid}>
          {states.data.map((state) => (
            <SenderCard key={state.methodType} state={state} />
          ))}
        </div>
      )}
      {can(actor, 'outbox.read') ? <Outbox /> : null}
    </Page>
  );
}

function SenderCard({ state }: { state: SenderState }) {
  const title = state.isConfigured ? state.title : methodTitle(state.methodType);
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <span className={classes.state} data-off={!state.isConfigured || undefined}>
          {state.isConfigured ? `Set up (${state.name})` : 'Not set up'}
        </span>
      </div>
      <dl className={classes.facts}>
        {state.isConfigured ? (
          <>
            <dt>Last sent</dt>
            <dd>{state.sentOn === null ? 'Never' : <Ago at={state.sentOn} />}</dd>
          </>
        ) : (
          <>
            <dt>Sent</dt>
            <dd>
              None; <Kept method={state.methodType} />
            </dd>
          </>
        )}
        <dt>Waiting</dt>
        <dd>{state.queued === 0 ? 'None' : counted(state.queued, 'message')}</dd>
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
        {state.isConfigured ? (
          <>
            <dt>Receipts</dt>
            <dd className={state.receiptAddress === null ? undefined : classes.receipts}>
              <Receipts state={state} />
            </dd>
            {reportsDeliveries.has(state.name) ? (
              <>
                <dt>Answers</dt>
                <dd className={state.inboundAddress === null ? undefined : classes.receipts}>
                  <Answers state={state} />
                </dd>
              </>
            ) : null}
          </>
        ) : null}
      </dl>
      {state.isConfigured ? null : <MissingSetup state={state} />}
      {state.methodType === METHOD.sms ? <SmsCost /> : null}
      <TestMessage state={state} />
    </section>
  );
}

/** Lists the requirements of a method that cannot send yet, with a request text for the administrator. */
function MissingSetup({ state: { methodType } }: { state: SenderState }) {
  const setup = setups[methodType];
  const title = methodTitle(methodType);
  if (!setup) return null;
  return (
    <div className={classes.missing}>
      <p>Ask your administrator for:</p>
      <ul>
        {setup.needs.map((need) => (
          <li key={need}>{need}</li>
        ))}
      </ul>
      <details>
        <summary>Request to send to the administrator</summary>
        <CopyLine label={`request for ${title}`}>{requestText(title, setup)}</CopyLine>
      </details>
    </div>
  );
}

/** Shows how many messages of a method without a sender are in the outbox, with a link to the delivery report. */
function Kept({ method }: { method: number }) {
  const kept = useKeptMessages();
  if (!kept.data) return kept.isError ? 'the messages in the outbox could not be counted' : '…';
  const messages = kept.data.find(({ methodType }) => methodType === method)?.messages ?? 0;
  // The number of messages comes from a report that does not include invitations and codes.
  const besides = method === METHOD.email ? ' (not counting invitations and codes)' : '';
  if (messages === 0) return `no messages kept in the outbox in the last 30 days${besides}`;
  return (
    <>
      <Link to="/reports/delivery" search={{ method: String(method), state: 'kept' }}>
        {counted(messages, 'message')}
      </Link>{' '}
      kept in the outbox in the last 30 days{besides}
    </>
  );
}

/** Shows the address to which the provider sends delivery receipts, or why there are no receipts. */
function Receipts({ state: { name, receiptAddress, receiptProblem } }: { state: SenderState }) {
  if (receiptProblem !== null) return <span className={classes.problem}>None. {receiptProblem}</span>;
  if (receiptAddress !== null) {
    return (
      <>
        <CopyLine label="address for receipts">{new URL(receiptAddress, location.origin).href}</CopyLine>
        <span className={classes.problem}>{receiptHints[name]}</span>
      </>
    );
  }
  return reportsDeliveries.has(name)
    ? 'Off. Ask your administrator to switch on delivery receipts (see “Receipts” in docs/senders.md).'
    : 'None. This method does not report whether a notification arrived.';
}

/** Shows the address to which the provider delivers answers of people. */
function Answers({ state: { name, inboundAddress } }: { state: SenderState }) {
  if (inboundAddress === null) {
    return 'Off. Ask your administrator to switch on answers (see “Answers” in docs/senders.md).';
  }
  return (
    <>
      <CopyLine label="address for answers">{new URL(inboundAddress, location.origin).href}</CopyLine>
      <span className={classes.problem}>{answerHints[name]}</span>
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
