import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { TbLink, TbPlus } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { messageOf } from '../../../api/http.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../../kit/record/useRecordAddress.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Page, PageTitle } from '../../../ui/Page.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { now } from '../../../ui/time/clock.ts';
import { FeedDialog } from '../FeedDialog.tsx';
import { LayerPanel } from '../layer/LayerPanel.tsx';
import { OverrideDetail } from '../OverrideDetail.tsx';
import { OverrideDialog, type OverrideStart } from '../OverrideDialog.tsx';
import { rotaQuery, type ShownRota } from '../on-call.queries.ts';
import { GapNotes } from './GapNotes.tsx';
import { Handovers } from './Handovers.tsx';
import { NowCards } from './NowCards.tsx';
import { RotaNameButton } from './RotaNameButton.tsx';
import classes from './RotaPage.module.css';
import { RotaViews } from './RotaViews.tsx';

/** One rota: who is on call, its shifts, gaps and handovers, and the panel that edits a layer. */
export function RotaPage() {
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const [today] = useState(now);
  const rota = useQuery(rotaQuery(uuid, today));
  useHeaderTitle('On call', rota.data?.name ?? 'On call');
  if (rota.data === undefined) {
    return (
      <Page>
        {rota.isError ? (
          <ErrorState title="The rota could not be loaded" onRetry={() => void rota.refetch()}>
            {messageOf(rota.error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading">
            <Skeleton width="40%" />
          </div>
        )}
      </Page>
    );
  }
  if (rota.data === null) {
    return (
      <Page>
        <EmptyState title="This rota was not found">It was deleted, or you are not in it.</EmptyState>
      </Page>
    );
  }
  return <Loaded rota={rota.data} />;
}

function Loaded({ rota }: { rota: ShownRota }) {
  const mayPlan = can(useActor(), 'rota.plan');
  const { open, openRecord, close } = useRecordAddress();
  const [override, setOverride] = useState<OverrideStart | null>(null);
  const [shownOverride, setShownOverride] = useState<string | null>(null);
  const [isFeedOpen, setFeedOpen] = useState(false);
  const layer = rota.layers.find(({ uuid }) => uuid === open);
  return (
    <Page>
      <PageTitle
        above={
          <nav className={classes.crumbs} aria-label="Breadcrumbs">
            <Link to="/admin/on-call">On call</Link>
          </nav>
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<TbLink size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => setFeedOpen(true)}
            >
              Calendar feed
            </Button>
            {mayPlan ? (
              <>
                <RotaNameButton rota={rota} />
                <Button variant="default" onClick={() => openRecord(NEW)}>
                  Add layer
                </Button>
                <Button
                  variant="default"
                  leftSection={<TbPlus size={16} strokeWidth={1.75} aria-hidden />}
                  onClick={() => setOverride({})}
                >
                  Add override
                </Button>
              </>
            ) : null}
          </>
        }
      >
        {rota.name}
      </PageTitle>
      <NowCards rota={rota} />
      <RotaViews
        rota={rota}
        openLayer={open}
        onOpen={mayPlan ? openRecord : undefined}
        onOpenOverride={mayPlan ? setShownOverride : undefined}
      />
      <GapNotes rota={rota} onCover={mayPlan ? setOverride : undefined} />
      <Handovers rota={rota} />
      {mayPlan && open === NEW ? <LayerPanel key={NEW} rota={rota} layer={null} onClose={close} /> : null}
      {mayPlan && layer ? <LayerPanel key={layer.uuid} rota={rota} layer={layer} onClose={close} /> : null}
      {override ? <OverrideDialog rota={rota} start={override} onClose={() => setOverride(null)} /> : null}
      {shownOverride ? (
        <OverrideDetail rota={rota} uuid={shownOverride} onClose={() => setShownOverride(null)} />
      ) : null}
      {isFeedOpen ? <FeedDialog rota={rota} onClose={() => setFeedOpen(false)} /> : null}
    </Page>
  );
}
