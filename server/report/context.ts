import type { LevelWords } from '../../domain/group-level.ts';
import type { Sortable } from '../../domain/order.ts';
import type { ReportParameters } from './parameters.ts';

export interface ReportContext {
  parameters: ReportParameters;
  timeZone: string;
  /** The customer's term for unit offices. */
  office: LevelWords;
  now: Date;
  /** Runs a query with the permissions of the user who requests the report. */
  query(text: string, values: readonly unknown[]): Promise<any[]>;
}

/** Returns range, unit office and site, the parameters that most SQL functions take. */
export function scope({ parameters: { range, office, site } }: ReportContext): unknown[] {
  return [range.from, range.to, office, site === null ? null : [site]];
}

/** Functions that return the sort value of a row, by column. */
export type Orders<Name extends string> = Readonly<Record<Name, (row: any) => Sortable>>;
