import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { SHOWN } from './Deliveries.tsx';
import classes from './Destination.module.css';
import { type DestinationRecord, deliveriesQuery, sendTest } from './destination.queries.ts';
import { deliveryText } from './destination-words.ts';

/** Sends a test message to a destination and shows its result. */
export function SendTest({ destination }: { destination: Pick<DestinationRecord, 'uuid'> }) {
  const client = useQueryClient();
  const [sent, setSent] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { data } = useQuery({ ...deliveriesQuery(destination.uuid, SHOWN), enabled: sent !== null });
  const delivery = sent === null ? undefined : data?.rows.find(({ uuid }) => uuid === sent);
  const send = async () => {
    setBusy(true);
    setProblem(null);
    setSent(null);
    try {
      setSent(await sendTest(destination.uuid));
      await client.invalidateQueries({ queryKey: ['destination', 'deliveries', destination.uuid] });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const isWrong = problem !== null || delivery?.state === 'failed';
  return (
    <section className={classes.part} aria-label="Test">
      <div className={classes.test}>
        <Button variant="default" loading={busy} onClick={() => void send()}>
          Send test message
        </Button>
        <p role={isWrong ? 'alert' : 'status'} data-problem={isWrong || undefined}>
          {problem ?? (delivery ? `${deliveryText(delivery)}. ${delivery.answer}` : sent === null ? '' : 'Waiting')}
        </p>
      </div>
    </section>
  );
}
