import { context, type Step, sideEffect } from 'postgraphile/grafast';
import { wrapPlans } from 'postgraphile/utils';
import {
  type LayerValues,
  type RotaRefusal,
  refuseGap,
  refuseLayer,
  refuseName,
  refuseOverride,
  refuseSwap,
} from '../../../domain/on-call/refusals.ts';
import type { RotaPerson } from '../../../domain/on-call/rota.ts';
import { type LoadedLayer, loadLayer } from '../../on-call/load-rotas.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';
import { setClaim } from '../adaptor.ts';
import { type Args, inTransaction, refusal, type WithPgClient } from './transaction-plan.ts';

/** Returns the layer against which it checked the input, or why the input was not accepted. */
type Check = (tx: Transaction, args: Args, now: number) => Promise<LoadedLayer | { refused: RotaRefusal } | undefined>;

/**
 * Checks the input of a mutation before its transaction. Passes the checked layer and its version to the transaction as a
 * setting, which the SQL function compares. Clients cannot set this setting.
 */
function checked(names: readonly string[], check: Check) {
  return (plan: () => Step, _$root: Step, fieldArgs: { getRaw(path: string[]): Step }) => {
    const $context = context() as never as { get(name: string): Step };
    const fields = names.map((name) => fieldArgs.getRaw(['input', name]));
    sideEffect(
      [$context.get('pgSettings'), $context.get('clock'), $context.get('withPgClient'), ...fields] as never,
      async ([settings, clock, withPgClient, ...values]: [object, Clock, WithPgClient, ...unknown[]]) => {
        const args = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
        const found = await inTransaction(withPgClient, settings, (tx) => check(tx, args, clock.now().getTime()));
        if (found && 'refused' in found) throw refusal(found.refused);
        // An unknown layer has no check, so the SQL function answers that it is missing.
        if (found)
          setClaim(settings, 'tocsin.rota_check', JSON.stringify({ layer: found.uuid, version: found.version }));
      },
    );
    return plan();
  };
}

/** Checks input against a layer that the user may see. */
const ofLayer =
  (refuse: (layer: LoadedLayer, args: Args, tx: Transaction, now: number) => Promise<RotaRefusal | undefined>): Check =>
  async (tx, args, now) => {
    const layer = await loadLayer(tx, args.layerUuid);
    if (!layer) return undefined;
    const refused = await refuse(layer, args, tx, now);
    return refused ? { refused } : layer;
  };

const checkLayer: Check = async (tx, args) => {
  const { rotaUuid, rotaName, uuid } = args;
  const refusedName = rotaUuid === null ? refuseName(rotaName ?? '') : undefined;
  const refused = refusedName
    ? { ...refusedName, field: 'rotaName' }
    : refuseLayer({ ...args, hours: args.hours ?? [] } as never as LayerValues);
  if (refused) return { refused };
  return uuid === null ? undefined : loadLayer(tx, uuid);
};

const timeOf = (written: unknown): number => Date.parse(String(written));
const periodOf = ({ startsAt, endsAt }: Args) => ({ startsAt: timeOf(startsAt), endsAt: timeOf(endsAt) });

const checkOverride = ofLayer(async (layer, args, tx, now) => {
  const [off, cover] = [await personOf(tx, layer, args.offUuid), await personOf(tx, layer, args.coverUuid)];
  return refuseOverride(layer, { ...periodOf(args), off, cover }, now);
});

/** Returns a person of the layer, or another person by name. The SQL function checks that the person exists. */
async function personOf(tx: Transaction, layer: LoadedLayer, uuid: string | null): Promise<RotaPerson | null> {
  if (uuid === null) return null;
  const known = layer.people.find((person) => person.uuid === uuid);
  if (known) return known;
  const { rows } = await tx.query<{ name: string }>('select n.name from tocsin.person_names(array[$1::uuid]) n', [
    uuid,
  ]);
  return { uuid, name: rows[0]?.name ?? 'This person', isActive: true };
}

/** Both people must be on call in the periods that they give away. The two periods must not overlap. */
function refuseSwapOf(layer: LoadedLayer, asker: string, swap: Args, now: number): RotaRefusal | undefined {
  const period = periodOf(swap);
  const refused = refuseSwap(layer, asker, period, 'startsAt', now);
  if (refused || swap.backStartsAt === null) return refused;
  const back = { startsAt: timeOf(swap.backStartsAt), endsAt: timeOf(swap.backEndsAt) };
  return refuseSwap(layer, swap.colleagueUuid, back, 'backStartsAt', now);
}

const checkSwap = ofLayer(async (layer, args, tx, now) => {
  const { rows } = await tx.query<{ me: string }>('select tocsin_private.me() as me');
  return refuseSwapOf(layer, rows[0]?.me ?? '', args, now);
});

const checkAnswer: Check = async (tx, { swapUuid }, now) => {
  const { rows } = await tx.query<Args>(
    `select s.tocsin_rota_layer_uuid as "layerUuid", s.asker_uuid as asker, s.colleague_uuid as "colleagueUuid",
       s.starts_at as "startsAt", s.ends_at as "endsAt", s.back_starts_at as "backStartsAt", s.back_ends_at as "backEndsAt"
     from tocsin.rota_swap s where s.uuid = $1 and s.state = 'asked'`,
    [swapUuid],
  );
  const [swap] = rows;
  const layer = swap && (await loadLayer(tx, swap.layerUuid));
  if (!swap || !layer) return undefined;
  const refused = refuseSwapOf(layer, swap.asker, swap, now);
  if (!refused) return layer;
  return {
    refused: { field: 'swapUuid', sentence: 'The shifts have changed since this request. Decline it, and ask again.' },
  };
};

const checkName: Check = async (_tx, { name }) => {
  const refused = refuseName(name ?? '');
  return refused && { refused };
};

const period = ['layerUuid', 'startsAt', 'endsAt'];

/** Checks changes of rotas with domain/on-call/, which also resolves the shifts. */
export const RotaChecksPlugin = wrapPlans(
  {
    Mutation: {
      saveRotaLayer: checked(
        [
          ...['name', 'personUuids', 'turnHours', 'firstDay', 'handoverTime', 'timeZone', 'hours'],
          ...['rotaUuid', 'rotaName', 'uuid'],
        ],
        checkLayer,
      ),
      renameRota: checked(['name'], checkName),
      addRotaOverride: checked([...period, 'offUuid', 'coverUuid'], checkOverride),
      confirmRotaGap: checked(
        period,
        ofLayer(async (layer, args, _tx, now) => refuseGap(layer, periodOf(args), now)),
      ),
      askRotaSwap: checked([...period, 'colleagueUuid', 'backStartsAt', 'backEndsAt'], checkSwap),
      acceptRotaSwap: checked(['swapUuid'], checkAnswer),
    },
  } as never,
  { name: 'TocsinRotaChecksPlugin' },
);
