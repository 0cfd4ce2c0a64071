/** Measures the advice for one rule over 90 days of readings, one every 15 seconds. */

import { asService, onDatabase } from '../../test/harness/device/alarm-plant.ts';
import type { DevicePlant } from '../../test/harness/device/device-plant.ts';
import { createSensor } from '../../test/harness/device/devices.ts';
import { type Product, signIn } from '../../test/harness/server/product.ts';
import { quantile } from './quantile.ts';

const DAYS = 90;
const EVERY = 15_000;
const READINGS = (DAYS * 86_400_000) / EVERY;

/**
 * Adds a rule with a debounce of 5 s, its readings and its acknowledged alarms. The value is above the limit for 45
 * seconds every 200 minutes (a pump start) and for 25 minutes every ten days (a failure). Returns the uuid of the rule.
 */
export function addAdvicePlant(settings: Readonly<Record<string, string>>): Promise<string> {
  return onDatabase(settings, async (db) => {
    const [{ uuid: customer }] = (await asService(db, (tx) => tx.query('select uuid from tocsin.customer'))).rows as [
      { uuid: string },
    ];
    const sensor = await createSensor(db, { customer: { uuid: customer }, uid: 'advised' });
    const { key, datapointUuid } = sensor.channels[0] as { key: number; datapointUuid: string };
    const to = Math.floor(Date.now() / EVERY) * EVERY - 60 * 60_000;
    const from = new Date(to - DAYS * 86_400_000).toISOString();
    await db.migration((tx) =>
      tx.query('call tocsin_private.ensure_partitions($1::timestamptz, $2::timestamptz)', [
        from,
        new Date(to).toISOString(),
      ]),
    );
    const rule = await asService(db, async (tx) => {
      await tx.query(
        `insert into tocsin.reading (channel_key, device_time, server_time, value)
         select $1, $2::timestamptz + i * interval '15 seconds', $2::timestamptz + i * interval '15 seconds' + interval '1 second',
           3 + random() + case when i % 800 < 3 then 5 else 0 end + case when i % 57600 between 400 and 499 then 6 else 0 end
         from generate_series(0, $3::integer - 1) i`,
        [key, from, READINGS],
      );
      const { rows } = await tx.query<{ uuid: string }>(
        `insert into tocsin.rule (tocsin_customer_uuid, tocsin_site_uuid, tocsin_asset_uuid, tocsin_datapoint_uuid, name, value_upper, debounce)
         values ($1, $2, $3, $4, 'Advised', 7, 5) returning uuid`,
        [customer, sensor.site.uuid, sensor.assetUuid, datapointUuid],
      );
      const uuid = rows[0]?.uuid as string;
      await tx.query(
        `with alert as (
           insert into tocsin.rule_alert (tocsin_customer_uuid, tocsin_site_uuid, tocsin_rule_name) values ($1, $2, 'Advised') returning uuid
         )
         insert into tocsin.reason (tocsin_customer_uuid, rule_uuid, reason, is_nuisance) select $1, uuid, 'Pump starting', true from alert`,
        [customer, sensor.site.uuid],
      );
      await tx.query(
        `insert into tocsin.alarm (tocsin_customer_uuid, tocsin_site_uuid, tocsin_datapoint_uuid, rule_uuid, rule_name, rule_version, site_name,
           message, source, date_time, resolved_date, reason, acknowledge_json)
         select $1, $2, $3, $4, 'Advised', 1, 'Site', 'Advised', 'limits', a.at + interval '5 seconds', a.at + a.length + interval '5 seconds',
           a.reason, '{}'
         from (
           select $5::timestamptz + i * interval '15 seconds' as at, interval '45 seconds' as length, 'Pump starting' as reason
           from generate_series(0, $6::integer - 1, 800) i
           union all
           select $5::timestamptz + (i + 400) * interval '15 seconds', interval '25 minutes', 'Bearing checked'
           from generate_series(0, $6::integer - 1, 57600) i
         ) a`,
        [customer, sensor.site.uuid, datapointUuid, uuid, from, READINGS],
      );
      return uuid;
    });
    await db.migration((tx) => tx.query('analyze'));
    return rule;
  });
}

const ruleAdvice = `query ($rule: UUID!) { ruleAdvice(ruleUuid: $rule, days: 91) {
  because readings tried trials { debounce clearUpper valueUpper nuisanceAvoided realKept alarmsPerDay } days { readings mean } } }`;

export async function advice({ url }: Product, plant: DevicePlant, rule: string): Promise<Record<string, unknown>> {
  const headers = await signIn(url, plant.owner.email, plant.owner.password);
  const body = JSON.stringify({ query: ruleAdvice, variables: { rule } });
  const took: number[] = [];
  let answer: any;
  for (let round = 0; round < 13; round += 1) {
    const began = performance.now();
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    answer = await response.json();
    if (round >= 3) took.push(performance.now() - began);
  }
  const found = answer.data?.ruleAdvice;
  if (found?.readings !== READINGS || found.because !== 'proposal') {
    throw new Error(`The advice did not use all readings: ${JSON.stringify(answer).slice(0, 1000)}`);
  }
  return {
    ...{ readings: found.readings, tried: found.tried },
    ...{ medianMs: quantile(took, 0.5), p95Ms: quantile(took, 0.95) },
    target: 'under 1000 ms',
  };
}
