import type { LayerHours, Period, Rota, RotaLayer, RotaPerson } from '../../domain/on-call/rota.ts';
import type { Transaction } from '../platform/database.ts';

/** A layer with what only the server and managers need. */
export interface LoadedLayer extends RotaLayer {
  /** Periods in which a manager knows that nobody is on call. */
  confirmed: Period[];
  version: number;
}

export interface LoadedRota extends Rota {
  layers: LoadedLayer[];
}

interface StoredPeriod {
  startsAt: string;
  endsAt: string;
}

type StoredLayer = Omit<LoadedLayer, 'people' | 'overrides' | 'confirmed' | 'hours'> & {
  hours: LayerHours[];
  people: string[];
  overrides: (StoredPeriod & { uuid: string; off: string | null; cover: string | null; reason: string })[];
  gaps: StoredPeriod[];
};

interface Facts {
  people: RotaPerson[];
  rotas: { uuid: string; name: string; layers: StoredLayer[] }[];
}

/** Layers of several rotas, with the people whom they name. */
export interface LayerFacts {
  people: RotaPerson[];
  layers: StoredLayer[];
}

/** Loads the rotas that the transaction's user may see, or only one of them. */
export async function loadRotas(tx: Transaction, rotaUuid: string | null = null): Promise<LoadedRota[]> {
  const { rows } = await tx.query<{ facts: Facts }>('select tocsin_private.rota_facts($1) as facts', [rotaUuid]);
  const { people, rotas } = rows[0]?.facts ?? { people: [], rotas: [] };
  return rotas.map((rota) => ({ ...rota, layers: rota.layers.map((layer) => layerOf(layer, people)) }));
}

/** Returns a stored layer with its people. */
export function layerOf(
  { people: inTurn, overrides, gaps, ...layer }: StoredLayer,
  people: readonly RotaPerson[],
): LoadedLayer {
  const known = new Map(people.map((person) => [person.uuid, person]));
  const personOf = (uuid: string): RotaPerson => known.get(uuid) ?? { uuid, name: '', isActive: false };
  const periodOf = ({ startsAt, endsAt }: StoredPeriod): Period => ({
    startsAt: Date.parse(startsAt),
    endsAt: Date.parse(endsAt),
  });
  return {
    ...layer,
    people: inTurn.map(personOf),
    overrides: overrides.map(({ uuid, off, cover, reason, ...period }) => ({
      ...{ uuid, reason, ...periodOf(period) },
      off: off === null ? null : personOf(off),
      cover: cover === null ? null : personOf(cover),
    })),
    confirmed: gaps.map(periodOf),
  };
}

/** Loads the layer with this uuid; undefined if the user may not see it. */
export async function loadLayer(tx: Transaction, layerUuid: string): Promise<LoadedLayer | undefined> {
  const { rows } = await tx.query<{ rota: string }>(
    'select l.tocsin_rota_uuid as rota from tocsin.rota_layer l where l.uuid = $1',
    [layerUuid],
  );
  const rota = rows[0]?.rota;
  if (rota === undefined) return undefined;
  return (await loadRotas(tx, rota)).flatMap(({ layers }) => layers).find(({ uuid }) => uuid === layerUuid);
}
