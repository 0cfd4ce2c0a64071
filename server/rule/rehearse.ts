import { opened, planOf, stepsOf } from '../../domain/alarm/escalation.ts';
import { type NamedLayer, type PlanStep, rehearse } from '../../domain/alarm/plan.ts';
import { addressesOf, type Person } from '../../domain/notification/recipients.ts';
import type { RotaLayer } from '../../domain/on-call/rota.ts';
import type { RuleAlert } from '../../domain/rule/context.ts';
import { loadRotas } from '../on-call/load-rotas.ts';
import type { Transaction } from '../platform/database.ts';
import { ALERT_JSON } from './context.ts';

/** A step of a plan that is not saved yet. */
export interface DraftStep {
  waitMinutes: number;
  repeatCount: number;
  repeatMinutes: number;
  people: readonly string[];
  layers: readonly string[];
}

export interface RehearsedNotification {
  at: number;
  step: number;
  repeat: number;
  personUuid: string;
  personName: string;
  /** The layer for which the person is on call; null for a named person. */
  onCallFor: string | null;
  methodTypes: number[];
  /** Why methods do not work. */
  problems: string[];
}

export interface Rehearsal {
  notifications: RehearsedNotification[];
  gaps: { at: number; step: number; repeat: number; onCallFor: string; isSkipped: boolean }[];
}

/**
 * Returns who would be notified by which method if an alarm opened at a time and nobody acknowledged it. Runs as the user;
 * undefined if the user may not see the rule alert.
 */
export async function rehearsePlan(
  tx: Transaction,
  plan: { ruleAlertUuid: string } | { steps: readonly DraftStep[] },
  at: number,
): Promise<Rehearsal | undefined> {
  const layers = new Map<string, RotaLayer>();
  const names = new Map<string, string>();
  for (const rota of await loadRotas(tx)) {
    for (const layer of rota.layers) {
      layers.set(layer.uuid, layer);
      names.set(layer.uuid, `${rota.name}, ${layer.name}`);
    }
  }
  const named = (uuid: string): NamedLayer => ({ uuid, name: names.get(uuid) ?? 'a deleted rota' });
  const steps =
    'steps' in plan
      ? plan.steps.map(({ repeatCount, repeatMinutes, layers: uuids, ...step }) => ({
          ...{ ...step, repeats: repeatCount, everyMinutes: repeatMinutes, layers: uuids.map(named) },
        }))
      : await storedSteps(tx, plan.ruleAlertUuid);
  if (!steps) return undefined;
  const rounds = rehearse(steps, layers, at);
  const wanted = new Set(rounds.flatMap(({ people }) => people.map(({ uuid }) => uuid)));
  const { rows } = await tx.query<{ people: Person[] }>(
    'select tocsin_definer.people_to_notify($1::uuid[]) as people',
    [[...wanted]],
  );
  const people = new Map((rows[0]?.people ?? []).map((person) => [person.uuid, person]));
  return {
    notifications: rounds.flatMap(({ at: when, position, people: notified }) =>
      notified.flatMap(({ uuid, onCall }) => {
        const person = people.get(uuid);
        if (!person) return [];
        const { methods, skipped } = addressesOf(person);
        return {
          ...{ at: when, ...position, personUuid: uuid, personName: person.name, onCallFor: onCall ?? null },
          methodTypes: [...new Set(methods.map(({ method }) => method))],
          problems: skipped.map(({ sentence }) => sentence),
        };
      }),
    ),
    gaps: rounds.flatMap(({ at: when, position, gaps, isSkipped }) =>
      gaps.map((onCallFor) => ({ at: when, ...position, onCallFor, isSkipped })),
    ),
  };
}

async function storedSteps(tx: Transaction, uuid: string): Promise<readonly PlanStep[] | undefined> {
  const { rows } = await tx.query<{ alert: RuleAlert; silent: boolean }>(
    `select ${ALERT_JSON} as alert, ra.tocsin_rule_name = 'Site silent' as silent from tocsin.rule_alert ra where ra.uuid = $1`,
    [uuid],
  );
  const [found] = rows;
  if (!found) return undefined;
  const { alert, silent } = found;
  const people = alert.users.flatMap((user) => ((silent ? user.isHealth : user.isAlert) ? [user.uuid] : []));
  const first = { waitMinutes: 0, repeats: 0, everyMinutes: alert.everyMinutes, people, layers: [] };
  const second = {
    ...{ waitMinutes: alert.afterMinutes, repeats: alert.times - 1, everyMinutes: alert.everyMinutes },
    ...{ people: alert.escalate, layers: [] },
  };
  const simple = alert.escalate.length > 0 ? [first, second] : [first];
  const steps = stepsOf(alert, people, alert.escalate) ?? simple;
  return planOf(alert, alert.escalate, alert.indAck, steps).steps?.slice(0, alert.indAck ? undefined : opened.step);
}
