import { extendSchema, gql } from 'postgraphile/utils';
import { handoversBetween, layerNow } from '../../../domain/on-call/changes.ts';
import { DAY_MS } from '../../../domain/on-call/rota.ts';
import { gapsBetween, isConfirmed, type Shift, shiftsBetween, shiftsOfPerson } from '../../../domain/on-call/shifts.ts';
import { layerWords } from '../../../domain/on-call/words.ts';
import { type LoadedLayer, type LoadedRota, loadRotas } from '../../on-call/load-rotas.ts';
import type { Transaction } from '../../platform/database.ts';
import { type Args, answer, isoTime, isoTimeOrNull, refusal } from './transaction-plan.ts';

const MOST_DAYS = 400;
const MOST_SHIFTS = 1000;

const rotaTypes = gql`
  """A time in which one person is on call in a layer, or a gap without a person."""
  type RotaShift {
    rotaUuid: UUID!
    layerUuid: UUID!
    layerName: String!
    startsAt: Datetime!
    endsAt: Datetime!
    """Null in a gap."""
    personUuid: UUID
    personName: String
    """The person in turn."""
    plannedName: String
    """turn, override, absent (an override leaves the shift to nobody) or inactive (the person was deleted or disabled)."""
    because: String!
    """The reason of the override; empty for none."""
    reason: String!
  }

  """A time in the hours of a layer in which nobody is on call."""
  type RotaGapPeriod {
    layerUuid: UUID!
    layerName: String!
    startsAt: Datetime!
    endsAt: Datetime!
    """The person who would be on call."""
    missingName: String
    """absent or inactive."""
    because: String!
    reason: String!
    """A manager knows that nobody is on call in this whole time."""
    isConfirmed: Boolean!
  }

  """Another person is on call from this time on, or nobody."""
  type RotaHandover {
    at: Datetime!
    layerUuid: UUID!
    layerName: String!
    """Null: nobody."""
    fromName: String
    toName: String
    """turn, override, absent or inactive: why the new state holds."""
    because: String!
    reason: String!
  }

  type OnCallLayer {
    layerUuid: UUID!
    layerName: String!
    """The layer as text, such as: weekly, handover Monday 08:00, around the clock."""
    words: String!
    """on-call, gap, or outside the hours of the layer."""
    state: String!
    personUuid: UUID
    personName: String
    """Null if the state lasts for more than a year."""
    until: Datetime
    """The next shift of another person, or the next gap."""
    next: RotaShift
  }

  type OnCallRota {
    rotaUuid: UUID!
    rotaName: String!
    layers: [OnCallLayer!]!
  }

  extend type Query {
    """Who is on call in each rota, and who is next. "at" is the present time if it is missing."""
    onCallRotas(at: Datetime): [OnCallRota!]
    """The shifts of a rota in a range of at most 400 days, cut at the range. They fill the hours of each layer."""
    rotaShifts(rotaUuid: UUID!, from: Datetime!, to: Datetime!): [RotaShift!]
    """The gaps of a rota in a range of at most 400 days."""
    rotaGapPeriods(rotaUuid: UUID!, from: Datetime!, to: Datetime!): [RotaGapPeriod!]
    """The handovers of a rota in a range of at most 400 days, in order."""
    rotaHandovers(rotaUuid: UUID!, from: Datetime!, to: Datetime!): [RotaHandover!]
    """The shifts of the user in all rotas that overlap a range of at most 400 days, in order."""
    myShifts(from: Datetime!, to: Datetime!): [RotaShift!]
  }
`;

interface Range {
  from: number;
  until: number;
}

function rangeOf({ from, to }: Args): Range {
  const range = { from: timeOf('from', from), until: timeOf('to', to) };
  if (range.until <= range.from) throw refusal({ field: 'to', sentence: 'The end must be after the start.' });
  if (range.until - range.from > MOST_DAYS * DAY_MS) {
    throw refusal({ field: 'to', sentence: `Choose a range of at most ${MOST_DAYS} days.` });
  }
  return range;
}

function timeOf(field: string, written: unknown): number {
  const at = Date.parse(String(written));
  if (Number.isNaN(at)) throw refusal({ field, sentence: 'Enter a time, such as 2026-03-02T08:00:00Z.' });
  return at;
}

/** Returns the plan of a list about one rota. A rota that the user may not see gives null. */
function ofRota<T>(list: (layer: LoadedLayer, range: Range, rota: LoadedRota) => T[], order: (a: T, b: T) => number) {
  return answer(['rotaUuid', 'from', 'to'], async (tx: Transaction, args) => {
    const range = rangeOf(args);
    const [rota] = await loadRotas(tx, args.rotaUuid);
    const found = rota?.layers.flatMap((layer) => list(layer, range, rota)).toSorted(order);
    if (found && found.length > MOST_SHIFTS) {
      throw refusal({
        field: 'to',
        sentence: `This range has more than ${MOST_SHIFTS} entries. Choose a shorter one.`,
      });
    }
    return found;
  });
}

const byStart = (a: { startsAt: string }, b: { startsAt: string }) => a.startsAt.localeCompare(b.startsAt);

/** Adds the queries that resolve rotas: who is on call, shifts, gaps and handovers. */
export const RotaPlugin = extendSchema({
  typeDefs: [rotaTypes],
  objects: {
    Query: {
      plans: {
        onCallRotas: answer(['at'], async (tx, { at }, now) => {
          const moment = at === undefined || at === null ? now : timeOf('at', at);
          return (await loadRotas(tx)).map((rota) => ({
            rotaUuid: rota.uuid,
            rotaName: rota.name,
            layers: rota.layers.map((layer) => nowAnswer(rota, layer, moment)),
          }));
        }),
        rotaShifts: ofRota(
          (layer, { from, until }, rota) =>
            shiftsBetween(layer, from, until).map((shift) => shiftAnswer(rota, layer, shift)),
          byStart,
        ),
        rotaGapPeriods: ofRota(
          (layer, { from, until }) =>
            gapsBetween(layer, from, until).map((gap) => ({
              ...{
                ...ofLayer(layer),
                because: gap.because,
                reason: gap.reason,
                missingName: gap.missing?.name ?? null,
              },
              ...{ startsAt: isoTime(gap.startsAt), endsAt: isoTime(gap.endsAt) },
              isConfirmed: isConfirmed(gap, layer.confirmed),
            })),
          byStart,
        ),
        rotaHandovers: ofRota(
          (layer, { from, until }) =>
            handoversBetween(layer, from, until).map(({ at, from: before, to, after }) => ({
              ...{ ...ofLayer(layer), at: isoTime(at), because: after.because, reason: after.override?.reason ?? '' },
              ...{ fromName: before?.name ?? null, toName: to?.name ?? null },
            })),
          (a, b) => a.at.localeCompare(b.at),
        ),
        myShifts: answer(['from', 'to'], async (tx, args) => {
          const { from, until } = rangeOf(args);
          const me = await tx.query<{ me: string }>('select tocsin_private.me() as me');
          return shiftsOfPerson(await loadRotas(tx), me.rows[0]?.me ?? '', from, until)
            .slice(0, MOST_SHIFTS)
            .map((shift) => shiftAnswer(shift.rota, shift.layer, shift));
        }),
      },
    },
  },
} as never);

const ofLayer = ({ uuid, name }: { uuid: string; name: string }) => ({ layerUuid: uuid, layerName: name });

function shiftAnswer(rota: { uuid: string }, layer: { uuid: string; name: string }, shift: Shift) {
  return {
    ...{ rotaUuid: rota.uuid, ...ofLayer(layer), because: shift.because, reason: shift.override?.reason ?? '' },
    ...{ startsAt: isoTime(shift.startsAt), endsAt: isoTime(shift.endsAt) },
    ...{ personUuid: shift.person?.uuid ?? null, personName: shift.person?.name ?? null },
    plannedName: shift.planned?.name ?? null,
  };
}

function nowAnswer(rota: LoadedRota, layer: LoadedLayer, at: number): object {
  const { current, until, next } = layerNow(layer, at);
  return {
    ...{ ...ofLayer(layer), words: layerWords(layer), until: isoTimeOrNull(until) },
    state: current === null ? 'outside' : current.person === null ? 'gap' : 'on-call',
    personUuid: current?.person?.uuid ?? null,
    personName: current?.person?.name ?? null,
    next: next && shiftAnswer(rota, layer, next),
  };
}
