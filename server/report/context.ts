import type { LevelWords } from '../../domain/group-level.ts';
import type { Sortable } from '../../domain/order.ts';
import type { ReportParameters } from './parameters.ts';

export interface ReportContext {
  parameters: ReportParameters;
  timeZone: string;
  /** The customer's term for unit offices. */
  office: LevelWords;
  now: Date;
  /** Runs a query with the permissions of the user who requested the report. */
  query(text: string, values: readonly unknown[]): Promise<any[]>;
}

/**
 * Returns the first four parameters of most SQL functions for reports: start and end of the range, unit office and
 * site.
 */
export function scope({ parameters: { range, office, site } }: ReportContext): unknown[] {
  return [range.from, range.to, office, site === null ? null : [site]];
}

/** For each sort column, a function that returns the value by which a row is sorted. */
export type Orders<Name extends string> = Readonly<Record<Name, (row: any) => Sortable>>;
