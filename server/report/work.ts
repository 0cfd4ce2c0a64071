import type { LevelWords } from '../../domain/group-level.ts';
import type { Sortable } from '../../domain/order.ts';
import type { Asked } from './asked.ts';

export interface ReportWork {
  asked: Asked;
  timeZone: string;
  /** The company's words for unit offices. */
  office: LevelWords;
  now: Date;
  /** Asks the database as the person who wants the report. */
  query(text: string, values: readonly unknown[]): Promise<any[]>;
}

/** The range, the unit office and the site, as most functions of the database take them. */
export function scope({ asked: { range, office, site } }: ReportWork): unknown[] {
  return [range.from, range.to, office, site === null ? null : [site]];
}

/** What a table can be put in order by, as its page calls it. */
export type Orders<Name extends string> = Readonly<Record<Name, (row: any) => Sortable>>;
