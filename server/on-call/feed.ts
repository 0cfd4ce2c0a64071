import { createHash, timingSafeEqual } from 'node:crypto';
import { type CalendarEvent, icalendar } from '../../domain/on-call/icalendar.ts';
import { DAY_MS } from '../../domain/on-call/rota.ts';
import { type OwnShift, shiftsOfPerson, wholeShiftsBetween } from '../../domain/on-call/shifts.ts';
import { type Person, personAccess, serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type LoadedRota, loadRotas } from './load-rotas.ts';

/** How far a feed reaches into the past and the future. */
const PAST_MS = 28 * DAY_MS;
const AHEAD_MS = 180 * DAY_MS;
/** More shifts than this are left out, so that a rota of single hours cannot make a feed of megabytes. */
const MOST_EVENTS = 2000;

interface FeedRow {
  secret_hash: Buffer;
  rota: string | null;
  name: string;
  uuid: string;
  customer: string;
  level: number;
  partner: boolean;
}

const noHash = Buffer.alloc(32);

/** Returns the calendar of a feed; undefined if the address is wrong, or its person may no longer see the rota. */
export async function readFeed(
  db: Database,
  clock: Clock,
  { uuid, secret }: { uuid: string; secret: string },
): Promise<string | undefined> {
  const { rows } = await db.transaction(serviceAccess(clock), (tx) =>
    tx.query<FeedRow>(
      `select f.secret_hash, f.tocsin_rota_uuid as rota, u.display_name as name, u.uuid, u.tocsin_customer_uuid as customer,
         u.level, u.tocsin_partner_account as partner
       from tocsin_private.calendar_feed f join tocsin.user u on u.uuid = f.tocsin_user_uuid and u.status
       where f.uuid = $1`,
      [uuid],
    ),
  );
  const feed = rows[0];
  const hash = createHash('sha256').update(secret).digest();
  // The comparison also runs for an unknown feed, so that the time of the answer does not show which feeds exist.
  if (!timingSafeEqual(hash, feed?.secret_hash ?? noHash) || !feed) return undefined;
  const person: Person = {
    ...{ uuid: feed.uuid, customerUuid: feed.customer, level: feed.level },
    partnerAccount: feed.partner,
  };
  const rotas = await db.transaction(personAccess(person, clock), (tx) => loadRotas(tx, feed.rota));
  const now = clock.now().getTime();
  if (feed.rota === null) {
    const shifts = shiftsOfPerson(rotas, feed.uuid, now - PAST_MS, now + AHEAD_MS);
    return icalendar(`On call: ${feed.name}`, eventsOf(shifts, false), now);
  }
  const [rota] = rotas;
  if (!rota) return undefined;
  return icalendar(`On call: ${rota.name}`, eventsOf(allShifts(rota, now), true), now);
}

function allShifts(rota: LoadedRota, now: number): OwnShift[] {
  return rota.layers.flatMap((layer) =>
    wholeShiftsBetween(layer, now - PAST_MS, now + AHEAD_MS).map((shift) => ({ ...shift, rota, layer })),
  );
}

function eventsOf(shifts: readonly OwnShift[], withPerson: boolean): CalendarEvent[] {
  return shifts.slice(0, MOST_EVENTS).map(({ startsAt, endsAt, person, planned, override, rota, layer }) => ({
    // A shift keeps its uid when another person takes it, so that calendars change the event.
    uid: `${layer.uuid}-${startsAt}@tocsin`,
    ...{ startsAt, endsAt },
    summary: withPerson
      ? `${person?.name ?? 'Nobody'}: ${rota.name}, ${layer.name}`
      : `On call: ${rota.name}, ${layer.name}`,
    description: [
      override && planned && person && planned.uuid !== person.uuid ? `For ${planned.name}` : '',
      person === null ? 'Gap: nobody is on call.' : '',
      override?.reason ?? '',
    ]
      .filter((line) => line !== '')
      .join('\n'),
  }));
}
