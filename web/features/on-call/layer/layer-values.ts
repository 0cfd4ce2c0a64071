import { type LayerValues, refuseLayer, refuseName } from '../../../../domain/on-call/refusals.ts';
import { DAY_HOURS, type LayerHours, type RotaLayer, WEEK_HOURS } from '../../../../domain/on-call/rota.ts';
import { lastHandoverDay, turnsFrom } from '../../../../domain/on-call/turns.ts';
import type { Option } from '../../../kit/record/Picker.tsx';
import type { ShownLayer } from '../on-call.queries.ts';

/** The fields of the form. Numbers are texts, as fields have them. */
export type LayerFields = {
  rotaName: string;
  name: string;
  personUuids: Option[];
  turn: 'day' | 'week' | 'custom';
  /** Length of a custom turn. */
  turnHours: string;
  unit: 'days' | 'hours';
  /** From 1 (Monday) to 7, for a turn of a week. */
  weekday: string;
  /** The day on which a custom turn of the first person begins. */
  firstDay: string;
  handoverTime: string;
  timeZone: string;
  hasHours: boolean;
  hours: LayerHours[];
};

const weekdayOf = (day: string) => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

export function newLayer(timeZone: string, today: string): LayerFields {
  return {
    ...{ rotaName: '', name: '', personUuids: [], turn: 'week', turnHours: '2', unit: 'days', weekday: '1' },
    ...{ firstDay: today, handoverTime: '08:00', timeZone, hasHours: false, hours: [] },
  };
}

/** Returns the fields of a layer. The people are in the order of their turns from `now`. */
export function fieldsOf(layer: ShownLayer, now: number): LayerFields {
  const { turnHours, handoverTime, timeZone, hours, name } = layer;
  const isDays = turnHours % DAY_HOURS === 0;
  // Only turns of whole days begin at the handover time, so the people of other turns keep their order.
  const { people, firstDay } = isDays ? turnsFrom(layer, now) : layer;
  return {
    ...{ rotaName: '', name, handoverTime, timeZone, firstDay, weekday: String(weekdayOf(firstDay)) },
    personUuids: people.map((person) => ({ value: person.uuid, label: person.name })),
    turn: turnHours === DAY_HOURS ? 'day' : turnHours === WEEK_HOURS ? 'week' : 'custom',
    turnHours: String(isDays ? turnHours / DAY_HOURS : turnHours),
    unit: isDays ? 'days' : 'hours',
    ...{ hasHours: hours.length > 0, hours: [...hours] },
  };
}

export function turnHoursOf({ turn, turnHours, unit }: LayerFields): number {
  if (turn === 'day') return DAY_HOURS;
  if (turn === 'week') return WEEK_HOURS;
  const length = turnHours.trim() === '' ? Number.NaN : Number(turnHours);
  return unit === 'days' ? length * DAY_HOURS : length;
}

/** Returns what is saved. The first person is on call in the present turn of a day or week. */
export function valuesOf(fields: LayerFields, now: number): LayerValues {
  const { name, personUuids, turn, weekday, handoverTime, timeZone, hasHours, hours } = fields;
  const values = {
    ...{ name: name.trim(), personUuids: personUuids.map(({ value }) => value), turnHours: turnHoursOf(fields) },
    ...{ handoverTime, timeZone, hours: hasHours ? hours : [] },
  };
  const isFixed = turn === 'custom' || !/^\d\d:\d\d$/.test(handoverTime) || timeZone === '';
  return { ...values, firstDay: isFixed ? fields.firstDay : lastHandoverDay(values, Number(weekday), now) };
}

/** Returns the problems by field. The server checks the same rules. */
export function problemsOf(
  fields: LayerFields,
  isNewRota: boolean,
  now: number,
): Partial<Record<keyof LayerFields, string>> {
  const refusedName = isNewRota ? refuseName(fields.rotaName) : undefined;
  const values = valuesOf(fields, now);
  const refusedLayerName = refuseName(values.name);
  // Reports the other problems even if the name is missing.
  const refused = refuseLayer({ ...values, name: refusedLayerName ? 'Layer' : values.name });
  const noHours = fields.hasHours && fields.hours.length === 0;
  return {
    ...(refused && { [refused.field]: refused.sentence }),
    ...(refusedLayerName && { name: refusedLayerName.sentence }),
    ...(noHours && { hours: 'Add hours, or choose “Around the clock”.' }),
    ...(refusedName && { rotaName: refusedName.sentence }),
  };
}

/** Returns the layer that the fields describe, to preview its shifts; null while they have a problem. */
export function previewOf(fields: LayerFields, now: number): RotaLayer | null {
  const values = valuesOf(fields, now);
  if (refuseLayer({ ...values, name: values.name || 'Layer' })) return null;
  const people = fields.personUuids.map(({ value, label }) => ({ uuid: value, name: label, isActive: true }));
  return { ...values, uuid: '', people, overrides: [] };
}
