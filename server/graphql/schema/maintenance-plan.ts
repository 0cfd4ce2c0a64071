import { context, SafeError, type Step, sideEffect } from 'postgraphile/grafast';
import { wrapPlans } from 'postgraphile/utils';
import { planWindow } from '../../../domain/maintenance/plan.ts';
import type { Recurrence } from '../../../domain/maintenance/recurrence.ts';
import type { Clock } from '../../platform/clock.ts';
import { setClaim } from '../adaptor.ts';

const FIELDS = [
  'repeats',
  'firstDay',
  'lastDay',
  'fromTime',
  'toTime',
  'days',
  'weekday',
  'week',
  'dayOfMonth',
] as const;

/**
 * Computes the occurrences of the window that `saveMaintenanceWindow` saves, or refuses its recurrence. Passes them to
 * the mutation's transaction as a setting, which the SQL function reads. Clients cannot set this setting.
 */
export const MaintenancePlanPlugin = wrapPlans(
  {
    Mutation: {
      saveMaintenanceWindow: (plan: () => Step, _$root: Step, fieldArgs: { getRaw(path: string[]): Step }) => {
        const $context = context() as never as { get(name: string): Step };
        const fields = FIELDS.map((name) => fieldArgs.getRaw(['input', name]));
        sideEffect(
          [$context.get('pgSettings'), $context.get('clock'), $context.get('withPgClient'), ...fields] as never,
          async ([settings, clock, withPgClient, ...values]: [object, Clock, WithPgClient, ...unknown[]]) => {
            const given = Object.fromEntries(FIELDS.map((name, index) => [name, values[index] ?? null]));
            const recurrence = { ...given, days: given.days ?? 0 } as never as Recurrence;
            const { rows } = await withPgClient(settings, (client) =>
              client.query({ text: 'select tocsin_private.my_zone() as zone' }),
            );
            const planned = planWindow(recurrence, rows[0]?.zone ?? 'UTC', clock.now().getTime());
            if ('refused' in planned) {
              const { field, sentence } = planned.refused;
              throw new SafeError(sentence, { code: 'BAD_USER_INPUT', field });
            }
            const occurrences = planned.occurrences.map(({ startsAt, endsAt }) => [startsAt, endsAt]);
            setClaim(settings, 'tocsin.maintenance_plan', JSON.stringify({ occurrences, until: planned.until }));
          },
        );
        return plan();
      },
    },
  } as never,
  { name: 'TocsinMaintenancePlanPlugin' },
);

type WithPgClient = <T>(settings: object, work: (client: LentClient) => Promise<T>) => Promise<T>;
interface LentClient {
  query(question: { text: string }): Promise<{ rows: { zone: string | null }[] }>;
}
