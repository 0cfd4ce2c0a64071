import type { LevelWords } from '../../domain/group-level.ts';
import type { Sortable } from '../../domain/order.ts';
import type { ReportParameters } from './parameters.ts';

export interface ReportContext {
  parameters: ReportParameters;
  timeZone: string;
  /** The customer's name for unit offices. */
  office: LevelWords;
  now: Date;
  /** Queries the database as the user who requests the report. */
  query(text: string, values: readonly unknown[]): Promise<any[]>;
}

/** Range, unit office and site: the parameters that most SQL functions take. */
export function scope({ parameters: { range, office, site } }: ReportContext): unknown[] {
  return [range.from, range.to, office, site === null ? null : [site]];
}

/** Sort values of a table, by column. */
export type Orders<Name extends string> = Readonly<Record<Name, (row: any) => Sortable>>;
