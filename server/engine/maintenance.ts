import { planAhead } from '../../domain/maintenance/plan.ts';
import type { Recurrence } from '../../domain/maintenance/recurrence.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

interface WindowToPlan {
  uuid: string;
  zone: string;
  recurrence: Recurrence;
}

/**
 * Begins and ends maintenance. Runs before the quiet time of alarms ends: if another maintenance window begins at that
 * moment, the alarms stay quiet.
 */
export async function followMaintenance(db: Database, clock: Clock): Promise<void> {
  const run = (call: string) =>
    db.transaction(serviceAccess(clock), (tx) => tx.query<{ more: boolean | null }>(`select ${call} as more`));
  while ((await run('tocsin_definer.begin_maintenance()')).rows[0]?.more) {
    // Each occurrence of a window has its own transaction, because the transaction locks the rows of the sites.
  }
  await run('tocsin_definer.begin_maintenance_again()');
  await run('tocsin_definer.end_maintenance()');
}

async function planMaintenance(db: Database, clock: Clock): Promise<void> {
  for (;;) {
    const planned = await db.transaction(serviceAccess(clock), async (tx) => {
      const { rows } = await tx.query<WindowToPlan>(
        `select w.uuid, w.zone, w.recurrence from tocsin_definer.windows_to_plan(interval '360 days') w
         join tocsin.maintenance_window m on m.uuid = w.uuid order by w.uuid limit 100 for update of m skip locked`,
      );
      const now = clock.now().getTime();
      for (const { uuid, zone, recurrence } of rows) {
        const { occurrences, until } = planAhead(recurrence, zone, now);
        const plan = occurrences.map(({ startsAt, endsAt }) => [startsAt, endsAt]);
        await tx.query('select tocsin_definer.store_occurrences($1, $2, to_timestamp($3::float8 / 1000))', [
          uuid,
          JSON.stringify(plan),
          until,
        ]);
      }
      return rows.length;
    });
    if (planned < 100) return;
  }
}

/**
 * Plans the occurrences of maintenance windows in advance, and plans them again after a customer's time zone has
 * changed.
 */
export function maintenancePlanning(db: Database, clock: Clock): EngineModule {
  return {
    name: 'maintenance planning',
    every: 60_000,
    wakeOn: 'tocsin_maintenance',
    tick: () => planMaintenance(db, clock),
  };
}
