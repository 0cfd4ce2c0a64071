import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbCalendar, TbPhone, TbPhoneCall } from 'react-icons/tb';
import { layerNow } from '../../../../domain/on-call/changes.ts';
import { DAY_MS } from '../../../../domain/on-call/rota.ts';
import { type OwnShift, shiftsOfPerson } from '../../../../domain/on-call/shifts.ts';
import { spanWords } from '../../../../domain/on-call/words.ts';
import { messageOf } from '../../../api/http.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { useUser } from '../../../kit/session/session.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Page, PageTitle } from '../../../ui/Page.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { now as readClock, useFromNow } from '../../../ui/time/clock.ts';
import { formatTime } from '../../../ui/time/format.ts';
import { FeedDialog } from '../FeedDialog.tsx';
import { myRotasQuery, type ShownLayer, type ShownRota } from '../on-call.queries.ts';
import { atWords, daysWords } from '../words.ts';
import classes from './MyOnCall.module.css';
import { SwapRequests } from './SwapRequests.tsx';
import { SwapSheet } from './SwapSheet.tsx';

const WEEKS = 8;

/** The page of a person who is on call: the own shifts, and who is on call now. Made for a phone. */
export function MyOnCallPage() {
  useHeaderTitle('On call');
  const [opened] = useState(readClock);
  const rotas = useQuery(myRotasQuery(opened));
  const [chosen, setChosen] = useState<string | null>(null);
  const [isFeedOpen, setFeedOpen] = useState(false);
  const rota = rotas.data?.find(({ uuid }) => uuid === chosen) ?? rotas.data?.[0];
  return (
    <Page>
      <PageTitle
        actions={
          <ActionIcon variant="subtle" size="lg" aria-label="Calendar feed" onClick={() => setFeedOpen(true)}>
            <TbCalendar size={20} strokeWidth={1.75} aria-hidden />
          </ActionIcon>
        }
      >
        On call
      </PageTitle>
      {rotas.data === undefined ? (
        rotas.isError ? (
          <ErrorState title="Your rotas could not be loaded" onRetry={() => void rotas.refetch()}>
            {messageOf(rotas.error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading">
            <Skeleton width="60%" />
          </div>
        )
      ) : rota === undefined ? (
        <EmptyState icon={TbPhoneCall} title="You are in no rota">
          A manager puts people into rotas, under Admin, On call.
        </EmptyState>
      ) : (
        <div className={classes.column}>
          {rotas.data.length > 1 ? (
            <div className={classes.rotas}>
              {rotas.data.map(({ uuid, name }) => (
                <Button
                  key={uuid}
                  variant={uuid === rota.uuid ? 'filled' : 'default'}
                  aria-pressed={uuid === rota.uuid}
                  onClick={() => setChosen(uuid)}
                >
                  {name}
                </Button>
              ))}
            </div>
          ) : (
            <h2 className={classes.only}>{rota.name}</h2>
          )}
          <Present rota={rota} />
          <SwapRequests rota={rota} />
          <MyShifts rota={rota} />
        </div>
      )}
      {isFeedOpen ? <FeedDialog rota={rota ?? null} onClose={() => setFeedOpen(false)} /> : null}
    </Page>
  );
}

const toMinute = (date: Date) => Math.floor(date.getTime() / 60_000) * 60_000;

function Present({ rota }: { rota: ShownRota }) {
  return (
    <section className={classes.present} aria-label="On call now">
      {rota.layers.map((layer) => (
        <LayerRow key={layer.uuid} layer={layer} />
      ))}
    </section>
  );
}

function LayerRow({ layer }: { layer: ShownLayer }) {
  const me = useUser().uuid;
  const now = useFromNow(toMinute);
  const { current, until, next } = layerNow(layer, now);
  if (current?.person?.uuid === me) {
    return (
      <div className={classes.oncall}>
        <div>
          <b>You are on call now</b>
          <p>
            {layer.name}
            {until === null ? '' : `, until ${atWords(until, layer.timeZone)}`}
          </p>
        </div>
        {until === null ? null : (
          <p className={classes.left}>
            <b>{spanWords(until - now)}</b> left
          </p>
        )}
      </div>
    );
  }
  const shown = current ?? next;
  const person = layer.people.find(({ uuid }) => uuid === shown?.person?.uuid);
  const when = current
    ? `${layer.name}${until === null ? '' : `, until ${atWords(until, layer.timeZone)}`}`
    : `${layer.name}, ${next ? `from ${atWords(next.startsAt, layer.timeZone)}` : 'outside its hours'}`;
  return (
    <div className={classes.row}>
      {shown?.person ? <Avatar name={shown.person.name} size={32} /> : null}
      <div>
        <b>
          {shown === null
            ? 'Nobody'
            : (shown.person?.name ?? <StateMark state="silent" word="Gap: nobody is on call" />)}
        </b>
        <small>{when}</small>
      </div>
      {person?.phoneNumber ? (
        <ActionIcon
          component="a"
          variant="subtle"
          size={44}
          href={`tel:${person.phoneNumber}`}
          aria-label={`Call ${person.name}`}
        >
          <TbPhone size={20} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
      ) : null}
    </div>
  );
}

function MyShifts({ rota }: { rota: ShownRota }) {
  const me = useUser().uuid;
  const now = useFromNow(toMinute);
  const [swapped, setSwapped] = useState<OwnShift | null>(null);
  const shifts = shiftsOfPerson([rota], me, now, now + WEEKS * 7 * DAY_MS);
  const swappedLayer = rota.layers.find(({ uuid }) => uuid === swapped?.layer.uuid);
  return (
    <section aria-label="My shifts">
      <h2 className={classes.heading}>
        My shifts <span>next {WEEKS} weeks</span>
      </h2>
      {shifts.length === 0 ? <p className={classes.empty}>You have no shifts in the next {WEEKS} weeks.</p> : null}
      {shifts.map((shift) => {
        const isAsked = rota.layers.some(({ uuid, swaps }) =>
          swaps.some(
            ({ askerUuid, startsAt, endsAt }) =>
              uuid === shift.layer.uuid &&
              askerUuid === me &&
              Date.parse(startsAt) < shift.endsAt &&
              Date.parse(endsAt) > shift.startsAt,
          ),
        );
        const isNow = shift.startsAt <= now;
        return (
          <div
            key={`${shift.layer.uuid} ${shift.startsAt}`}
            className={classes.row}
            data-open={shift.startsAt === swapped?.startsAt || undefined}
          >
            <div>
              <b>{daysWords(shift, shift.layer.timeZone)}</b>
              <small>
                {shift.layer.name}, {formatTime(new Date(shift.startsAt), shift.layer.timeZone)} to{' '}
                {formatTime(new Date(shift.endsAt), shift.layer.timeZone)}
                {isNow ? ', now' : ''}
                {isAsked ? ', swap asked' : ''}
              </small>
            </div>
            {isAsked ? null : (
              <Button
                variant="default"
                aria-label={`Swap ${daysWords(shift, shift.layer.timeZone)}`}
                onClick={() => setSwapped(shift)}
              >
                Swap
              </Button>
            )}
          </div>
        );
      })}
      {swapped && swappedLayer ? (
        <SwapSheet layer={swappedLayer} shift={swapped} onClose={() => setSwapped(null)} />
      ) : null}
    </section>
  );
}
