import type { StateFilter } from '../../../domain/report/shown-state.ts';

/** Time range; `to` is exclusive. */
export interface Range {
  from: Date;
  to: Date;
}

export function times({ from, to }: Range) {
  return { from: from.toISOString(), to: to.toISOString() };
}

/** Keys of the unit office and the site to filter by; undefined for all. */
export interface Place {
  office: string | undefined;
  site: string | undefined;
}

export function placeOf({ office, site }: Place) {
  return { office: office ?? null, sites: site === undefined ? null : [site] };
}

export interface MessageFilters extends Place {
  method?: number | undefined;
  state?: StateFilter | undefined;
  kind?: number | undefined;
  person?: string | undefined;
  search?: string;
}

export const messagesOf = (wanted: MessageFilters) => ({
  ...placeOf(wanted),
  method: wanted.method ?? null,
  state: wanted.state ?? null,
  kind: wanted.kind ?? null,
  person: wanted.person ?? null,
  search: wanted.search || null,
});
