import { holdOpenings, opensAlarm } from '../../domain/alarm/hold-openings.ts';
import type { Context } from '../../domain/rule/context.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { RuleChange } from '../rule/change.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the changes without the alarms that a maintenance window suppresses. The rules of these alarms stay pending
 * until the window ends. Queries the database only if an alarm would open.
 */
export async function holdInMaintenance(
  tx: Transaction,
  changes: readonly RuleChange[],
  contexts: ReadonlyMap<string, Context>,
  now: number,
): Promise<readonly RuleChange[]> {
  const places = changes.flatMap(({ watch, steps }, place) => {
    const context = contexts.get(watch.uuid);
    if (!context || !opensAlarm(steps)) return [];
    const { datapointUuid: datapoint, assetUuid: asset, siteUuid: site } = context;
    return [{ place, datapoint, asset, site }];
  });
  if (places.length === 0) return changes;
  // A join instead of one lookup per place, so that the database plans the query only once.
  const { rows } = await tx.query<{ place: number; until: number }>(
    `select p.place, extract(epoch from max(coalesce(m.ends_at, 'infinity')))::float8 * 1000 as until
     from ${recordset('p', { place: 'int', datapoint: 'uuid', asset: 'uuid', site: 'uuid' })}
     cross join lateral tocsin_private.maintenance_of(p.datapoint, p.asset, p.site, to_timestamp($2::float8 / 1000)) m
     where m.suppresses <> 'notifications' group by p.place`,
    [JSON.stringify(places), now],
  );
  if (rows.length === 0) return changes;
  const untilOf = new Map(rows.map(({ place, until }) => [place, until]));
  return changes.map((change, place) => {
    const until = untilOf.get(place);
    if (until === undefined) return change;
    // A maintenance window can have an unknown end. Such a window is checked again every day.
    return { ...change, ...holdOpenings(change.steps, change.before, change.after, Math.min(until, now + DAY_MS)) };
  });
}
