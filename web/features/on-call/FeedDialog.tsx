import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { At } from '../../kit/format/At.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { sendFeedRenewal } from './change.queries.ts';
import classes from './Dialogs.module.css';
import { feedsQuery } from './on-call.queries.ts';

interface FeedDialogProps {
  /** Null offers only the feed of the user's own shifts. */
  rota: { uuid: string; name: string } | null;
  onClose: () => void;
}

/** The addresses of the user's iCalendar feeds. The server shows an address only when it makes one. */
export function FeedDialog({ rota, onClose }: FeedDialogProps) {
  return (
    <Dialog opened onClose={onClose} label="Calendar feed" head={<h2 className={classes.title}>Calendar feed</h2>}>
      <p>
        Subscribe to an address in your calendar. Everybody who has the address can read the shifts, so keep it secret.
      </p>
      <Feed title="My shifts in all rotas" rotaUuid={null} />
      {rota ? <Feed title={`All shifts of ${rota.name}`} rotaUuid={rota.uuid} /> : null}
    </Dialog>
  );
}

function Feed({ title, rotaUuid }: { title: string; rotaUuid: string | null }) {
  const client = useQueryClient();
  const feeds = useQuery(feedsQuery);
  const [address, setAddress] = useState('');
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const feed = feeds.data?.find((one) => one.rotaUuid === rotaUuid);
  const renew = async () => {
    setBusy(true);
    setFailure('');
    try {
      setAddress(`${location.origin}${await sendFeedRenewal(rotaUuid)}`);
      await client.invalidateQueries({ queryKey: feedsQuery.queryKey });
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <section className={classes.feed} aria-label={title}>
      <h3>{title}</h3>
      {address ? (
        <>
          <p>Copy the address now. It is not shown again.</p>
          <CopyLine label={title}>{address}</CopyLine>
        </>
      ) : feed?.createdAt ? (
        <p>
          Its address was made <At at={feed.createdAt} />. Renew it if it was lost or seen by others: the old address
          stops working.
        </p>
      ) : null}
      {failure ? (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      ) : null}
      {address ? null : (
        <Button variant="default" size="xs" loading={busy || feeds.isPending} onClick={() => void renew()}>
          {feed ? 'Renew address' : 'Make address'}
        </Button>
      )}
    </section>
  );
}
