import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { TbPhoneCall } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { messageOf } from '../../../api/http.ts';
import { NewButton } from '../../../kit/list/NewButton.tsx';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../../kit/record/useRecordAddress.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Page, PageTitle } from '../../../ui/Page.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { LayerPanel } from '../layer/LayerPanel.tsx';
import { onCallQuery } from '../on-call.queries.ts';
import { atWords } from '../words.ts';
import classes from './RotaListPage.module.css';

/** The rotas with who is on call now and next. */
export function RotaListPage() {
  useHeaderTitle('On call');
  const mayPlan = can(useActor(), 'rota.plan');
  const rotas = useQuery(onCallQuery);
  const navigate = useNavigate();
  const { open, openRecord, close } = useRecordAddress();
  return (
    <Page>
      <PageTitle
        count={rotas.data?.length}
        actions={mayPlan ? <NewButton onClick={() => openRecord(NEW)}>Add rota</NewButton> : null}
      >
        Rotas
      </PageTitle>
      {rotas.data === undefined ? (
        rotas.isError ? (
          <ErrorState title="The rotas could not be loaded" onRetry={() => void rotas.refetch()}>
            {messageOf(rotas.error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading">
            <Skeleton width="50%" />
          </div>
        )
      ) : rotas.data.length === 0 ? (
        <EmptyState icon={TbPhoneCall} title="No rotas yet">
          A rota says who is on call: people in turn, with holidays and swaps. Add a rota with its first layer.
        </EmptyState>
      ) : (
        <RotaTable rotas={rotas.data} />
      )}
      {mayPlan && open === NEW ? (
        <LayerPanel
          rota={null}
          layer={null}
          onClose={close}
          onSaved={(uuid) => void navigate({ to: '/admin/on-call/$uuid', params: { uuid } })}
        />
      ) : null}
    </Page>
  );
}

type RotaNow = NonNullable<Awaited<ReturnType<NonNullable<typeof onCallQuery.queryFn>>>>[number];

function RotaTable({ rotas }: { rotas: readonly RotaNow[] }) {
  const timeZone = useTimeZone();
  return (
    <ul className={classes.rotas}>
      {rotas.map((rota) => (
        <li key={rota.rotaUuid} className={classes.rota}>
          <h2>
            <Link to="/admin/on-call/$uuid" params={{ uuid: rota.rotaUuid }}>
              {rota.rotaName}
            </Link>
          </h2>
          <dl>
            {rota.layers.map((layer) => (
              <div key={layer.layerUuid}>
                <dt>
                  {layer.layerName}
                  <small>{layer.words}</small>
                </dt>
                <dd>
                  {layer.state === 'gap' ? (
                    <StateMark state="silent" word="Gap" />
                  ) : (
                    <b>{layer.state === 'outside' ? 'Outside its hours' : layer.personName}</b>
                  )}
                  <small>
                    {layer.next
                      ? `next ${layer.next.personName ?? 'nobody'}, ${atWords(Date.parse(layer.next.startsAt), timeZone)}`
                      : 'no handover within a year'}
                  </small>
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
