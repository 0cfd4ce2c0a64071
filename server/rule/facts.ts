import type { Transaction } from '../platform/database.ts';
import type { ConditionsWatch, EvaluatedChannel } from './watch.ts';

/**
 * Loads the newest value of every data point that the conditions use, without the readings that are being evaluated.
 */
export async function loadFacts(
  tx: Transaction,
  conditions: ReadonlySet<ConditionsWatch>,
  channels: readonly EvaluatedChannel[],
): Promise<Map<string, number>> {
  const facts = new Map<string, number>();
  if (conditions.size === 0) return facts;
  const known = new Set<string>();
  for (const { datapoints, latest } of channels) {
    for (const { datapointUuid } of datapoints) {
      known.add(datapointUuid);
      if (latest.time !== null && latest.time !== undefined) facts.set(datapointUuid, latest.value);
    }
  }
  const wanted = new Set([...conditions].flatMap(({ rule }) => rule.datapoints).filter((uuid) => !known.has(uuid)));
  if (wanted.size === 0) return facts;
  const { rows } = await tx.query<{ uuid: string; value: number }>(
    `select d.uuid, r.value
     from unnest($1::uuid[]) as w (uuid) join tocsin.asset_datapoint d on d.uuid = w.uuid
     join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
     cross join lateral (select value from tocsin.reading r where r.channel_key = c.key order by r.device_time desc limit 1) r`,
    [[...wanted]],
  );
  for (const { uuid, value } of rows) facts.set(uuid, value);
  return facts;
}
