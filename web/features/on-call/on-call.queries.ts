import { queryOptions } from '@tanstack/react-query';
import type { LayerHours, Period, Rota, RotaLayer, RotaPerson } from '../../../domain/on-call/rota.ts';
import { ask, type FragmentOf, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';
import type { Option, OptionSource } from '../../kit/record/Picker.tsx';

const layerFields = graphql(`
  fragment RotaLayerFields on RotaLayer {
    uuid
    name
    position
    turnHours
    firstDay
    handoverTime
    timeZone
    hours
    rotaLayerPeople(first: 50) {
      nodes {
        position
        personUuid
        personName
      }
    }
    rotaOverrides(first: 300, filter: { endsAt: { greaterThan: $since } }) {
      nodes {
        uuid
        startsAt
        endsAt
        offUuid
        offName
        coverUuid
        coverName
        reason
        userName
        createdAt
      }
    }
    rotaGaps(first: 100, filter: { endsAt: { greaterThan: $since } }) {
      nodes {
        startsAt
        endsAt
        userName
      }
    }
    rotaSwaps(first: 20, filter: { state: { equalTo: "asked" } }) {
      nodes {
        uuid
        askerUuid
        askerName
        colleagueUuid
        colleagueName
        startsAt
        endsAt
        backStartsAt
        backEndsAt
      }
    }
  }
`);

type LayerRow = FragmentOf<typeof layerFields>;
export type Swap = NonNullable<LayerRow['rotaSwaps']['nodes'][number]>;
type OverrideRow = NonNullable<LayerRow['rotaOverrides']['nodes'][number]>;

const rotaRecord = graphql(
  `
  query RotaRecord($uuid: UUID!, $since: Datetime!) {
    rota(uuid: $uuid) {
      uuid
      name
      rotaLayers(first: 10, orderBy: [POSITION_ASC]) {
        nodes {
          ...RotaLayerFields
        }
      }
    }
    rotaPeople(first: 500) {
      nodes {
        uuid
        name
        phoneNumber
        isActive
      }
    }
  }
`,
  [layerFields],
);

const myRotas = graphql(
  `
  query MyRotas($since: Datetime!) {
    rotas(first: 10) {
      nodes {
        uuid
        name
        rotaLayers(first: 6, orderBy: [POSITION_ASC]) {
          nodes {
            ...RotaLayerFields
          }
        }
      }
    }
    rotaPeople(first: 500) {
      nodes {
        uuid
        name
        phoneNumber
        isActive
      }
    }
  }
`,
  [layerFields],
);

/** A person with the phone number to call. */
export interface PhonePerson extends RotaPerson {
  phoneNumber: string;
}

/** A layer with what pages show beside its shifts. */
export interface ShownLayer extends RotaLayer {
  people: readonly PhonePerson[];
  confirmed: Period[];
  swaps: Swap[];
}

export interface ShownRota extends Rota {
  layers: readonly ShownLayer[];
}

interface PersonRow {
  uuid: string | null;
  name: string | null;
  phoneNumber: string | null;
  isActive: boolean | null;
}

function shownRota(rota: { uuid: string; name: string }, layers: LayerRow[], people: PersonRow[]): ShownRota {
  const known = new Map(people.map((person) => [person.uuid, person]));
  const personOf = (uuid: string, name: string): PhonePerson => {
    const person = known.get(uuid);
    return {
      ...{ uuid, name: person?.name ?? name, isActive: person?.isActive ?? false },
      phoneNumber: person?.phoneNumber ?? '',
    };
  };
  const overrideOf = ({ uuid, reason, offUuid, offName, coverUuid, coverName, ...period }: OverrideRow) => ({
    ...{ uuid, reason, ...periodOf(period) },
    off: offUuid === null ? null : personOf(offUuid, offName),
    cover: coverUuid === null ? null : personOf(coverUuid, coverName),
  });
  return {
    uuid: rota.uuid,
    name: rota.name,
    layers: layers.map((layer) => ({
      ...{ uuid: layer.uuid, name: layer.name, turnHours: layer.turnHours, firstDay: layer.firstDay },
      ...{ handoverTime: layer.handoverTime, timeZone: layer.timeZone, hours: layer.hours as LayerHours[] },
      people: rowsOf(layer.rotaLayerPeople)
        .toSorted((a, b) => a.position - b.position)
        .map(({ personUuid, personName }) => personOf(personUuid, personName)),
      overrides: rowsOf(layer.rotaOverrides)
        .map(overrideOf)
        .toSorted((a, b) => a.startsAt - b.startsAt),
      confirmed: rowsOf(layer.rotaGaps).map(periodOf),
      swaps: rowsOf(layer.rotaSwaps),
    })),
  };
}

const periodOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): Period => ({
  startsAt: Date.parse(startsAt),
  endsAt: Date.parse(endsAt),
});

/** Pages show at most the last eight weeks. Midnight, so that the key of the query stays the same for a day. */
function since(now: Date): string {
  return new Date(Math.floor(now.getTime() / 86_400_000 - 56) * 86_400_000).toISOString();
}

const REFRESH = 30_000;

/** Fetches a rota; null if it was deleted, or the user may not see it. */
export function rotaQuery(uuid: string, now: Date) {
  const from = since(now);
  return queryOptions({
    queryKey: ['on-call', 'rota', uuid, from],
    queryFn: async ({ signal }) => {
      const { rota, rotaPeople } = await ask(rotaRecord, { uuid, since: from }, signal);
      return rota && shownRota(rota, rowsOf(rota.rotaLayers), rowsOf(rotaPeople));
    },
    refetchInterval: REFRESH,
  });
}

/** Fetches the rotas that the user sees, for their own shifts. */
export function myRotasQuery(now: Date) {
  const from = since(now);
  return queryOptions({
    queryKey: ['on-call', 'mine', from],
    queryFn: async ({ signal }) => {
      const { rotas, rotaPeople } = await ask(myRotas, { since: from }, signal);
      return rowsOf(rotas)
        .map((rota) => shownRota(rota, rowsOf(rota.rotaLayers), rowsOf(rotaPeople)))
        .toSorted((a, b) => a.name.localeCompare(b.name));
    },
    refetchInterval: REFRESH,
  });
}

const onCallRotas = graphql(`
  query OnCallRotas {
    onCallRotas {
      rotaUuid
      rotaName
      layers {
        layerUuid
        layerName
        words
        state
        personName
        until
        next {
          startsAt
          personName
        }
      }
    }
  }
`);

/** Fetches who is on call now in each rota. */
export const onCallQuery = queryOptions({
  queryKey: ['on-call', 'now'],
  queryFn: async ({ signal }) => (await ask(onCallRotas, {}, signal)).onCallRotas ?? [],
  refetchInterval: REFRESH,
});

const onCallPeople = graphql(`
  query OnCallPeople {
    onCallPeople(first: 500) {
      nodes {
        uuid
        name
      }
    }
  }
`);

/** People whom a manager can put into a rota. */
export const onCallPeopleSource: OptionSource = {
  key: ['on-call', 'people'],
  find: async (text, signal) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return rowsOf((await ask(onCallPeople, {}, signal)).onCallPeople)
      .map(({ uuid, name }): Option => ({ value: uuid ?? '', label: name ?? '' }))
      .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
      .slice(0, 50);
  },
};

const calendarFeeds = graphql(`
  query CalendarFeeds {
    calendarFeeds(first: 500) {
      nodes {
        rotaUuid
        createdAt
      }
    }
  }
`);

/** Fetches the calendar feeds of the user. Their addresses cannot be read again. */
export const feedsQuery = queryOptions({
  queryKey: ['on-call', 'feeds'],
  queryFn: async ({ signal }) => rowsOf((await ask(calendarFeeds, {}, signal)).calendarFeeds),
});

const timeZones = graphql(`
  query RotaTimeZones {
    timeZones
  }
`);

/** Fetches the time zones that a layer can have. They change only with the server. */
export const timeZonesQuery = queryOptions({
  queryKey: ['time-zones'],
  queryFn: async ({ signal }) =>
    ((await ask(timeZones, {}, signal)).timeZones ?? []).filter((zone): zone is string => zone !== null),
  staleTime: Number.POSITIVE_INFINITY,
});
