import type { RotaLayer } from '../../domain/on-call/rota.ts';
import type { Transaction } from '../platform/database.ts';
import { type LayerFacts, layerOf } from './load-rotas.ts';

/** Loads layers by uuid, with the overrides that end after `now`. Deleted layers are missing. */
export async function loadLayers(
  tx: Transaction,
  uuids: Iterable<string>,
  now: number,
): Promise<Map<string, RotaLayer>> {
  const wanted = [...new Set(uuids)];
  if (wanted.length === 0) return new Map();
  const { rows } = await tx.query<{ facts: LayerFacts }>(
    'select tocsin_private.layer_facts($1::uuid[], to_timestamp($2::float8 / 1000)) as facts',
    [wanted, now],
  );
  const { people, layers } = rows[0]?.facts ?? { people: [], layers: [] };
  return new Map(layers.map((layer) => [layer.uuid, layerOf(layer, people)]));
}
