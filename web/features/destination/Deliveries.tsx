import { Button } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Age } from '../../ui/time/Age.tsx';
import classes from './Destination.module.css';
import { type Delivery, deliveriesQuery, sendAgain } from './destination.queries.ts';
import { deliveryText } from './destination-words.ts';

/** Number of deliveries that are shown at first, and that *Show more* adds. */
export const SHOWN = 10;

/** Lists the deliveries of a destination, newest first. Sent and failed deliveries can be resent. */
export function Deliveries({ destination }: { destination: string }) {
  const [first, setFirst] = useState(SHOWN);
  const found = useQuery({ ...deliveriesQuery(destination, first), placeholderData: keepPreviousData });
  return (
    <section className={classes.part} aria-label="Deliveries">
      <h3>Deliveries</h3>
      {found.isPending ? (
        <Skeleton width="70%" />
      ) : found.isError ? (
        <ErrorState title="The deliveries could not be loaded" onRetry={() => void found.refetch()}>
          {messageOf(found.error)}
        </ErrorState>
      ) : found.data.rows.length === 0 ? (
        <p className={classes.quiet}>No deliveries yet. Alarms that open from now on are posted.</p>
      ) : (
        <ul className={classes.deliveries}>
          {found.data.rows.map((delivery) => (
            <DeliveryItem key={delivery.uuid} delivery={delivery} destination={destination} />
          ))}
        </ul>
      )}
      {found.data && found.data.total > found.data.rows.length ? (
        <div>
          <Button variant="default" loading={found.isPlaceholderData} onClick={() => setFirst(first + SHOWN)}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function DeliveryItem({ delivery, destination }: { delivery: Delivery; destination: string }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { uuid, title, state, answer, createdAt } = delivery;
  const resend = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await sendAgain(uuid);
      await client.invalidateQueries({ queryKey: ['destination', 'deliveries', destination] });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className={classes.delivery}>
      <div className={classes.text}>
        <b>{title}</b>
        <span data-problem={state === 'failed' || undefined}>
          {deliveryText(delivery)}, <Age at={createdAt} /> ago
        </span>
        {answer === '' || state === 'sent' ? null : <span>{answer}</span>}
        {problem === null ? null : (
          <span role="alert" data-problem>
            {problem}
          </span>
        )}
      </div>
      {state === 'queued' ? null : (
        <Button variant="default" loading={busy} aria-label={`Resend ${title}`} onClick={() => void resend()}>
          Resend
        </Button>
      )}
    </li>
  );
}
