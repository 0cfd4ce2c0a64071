import { readSort, writeSort } from '../../../domain/order.ts';
import { fateFilters, messageKinds } from '../../../domain/report/fate.ts';
import { presets } from '../../../domain/report/range.ts';
import { key } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

/** What a report can be put in order by: its long list, as `sort`, and its tables of figures by the names of their orders. */
export type KnownOrders = Readonly<Record<string, readonly string[]>>;

export interface Choice {
  what: string;
  known: (value: string) => boolean;
  /** What is shown in its place. */
  shown: string;
}

const isKey = (value: string) => key(value) !== undefined;
const oneOf = (values: readonly string[]) => (value: string) => values.includes(value);

/** Unit office and site, of which `known` says by its key whether there is one. */
export function placeChoices(
  known: (name: 'office' | 'site', key: string) => boolean,
): Record<'office' | 'site', Choice> {
  const shown = 'All are shown.';
  return {
    office: { what: 'the unit office', known: (value) => isKey(value) && known('office', value), shown },
    site: { what: 'the site', known: (value) => isKey(value) && known('site', value), shown },
  };
}

const choices: Readonly<Record<string, Choice>> = {
  range: { what: 'the range', known: oneOf(presets), shown: 'The last 30 days are shown.' },
  by: { what: 'rows by', known: oneOf(['office', 'site']), shown: 'Unit offices are shown.' },
  ...placeChoices(() => true),
  rule: { what: 'the rule', known: isKey, shown: 'All are shown.' },
  method: { what: 'the method', known: oneOf(['1', '2', '3', '4']), shown: 'All are shown.' },
  state: { what: 'the state', known: oneOf(fateFilters), shown: 'All are shown.' },
  kind: { what: 'messages about', known: oneOf(Object.keys(messageKinds)), shown: 'All are shown.' },
};

/**
 * A view out of an address that anybody may have written, without what a report does not know, and a sentence on each of these: a
 * report that quietly showed something else would be taken for the one that was asked for.
 */
export function keepKnownParameters(
  asked: ListView,
  defaults: ListDefaults,
  orders: KnownOrders,
  more: Readonly<Record<string, Choice>> = {},
): { view: ListView; strange: string[] } {
  const all: Readonly<Record<string, Choice>> = { ...choices, ...more };
  const strange: string[] = [];
  const sentence = (what: string, value: string, shown: string) =>
    strange.push(`The address asks for ${what} “${value.slice(0, 50)}”, which this report does not know. ${shown}`);
  const ordered = (name: string, column: string | undefined) =>
    orders[name] === undefined || (column !== undefined && orders[name].includes(column));
  const filters = Object.fromEntries(
    Object.entries(asked.filters).filter(([name, value]) => {
      const choice = all[name];
      if (choice && !choice.known(value)) {
        // Days of its own are taken before any range.
        const days = name === 'range' && (asked.filters.from || asked.filters.to);
        sentence(choice.what, value, days ? 'The days of the address are shown.' : choice.shown);
        return false;
      }
      if (ordered(name, readSort(value)?.column)) return true;
      sentence('the order', value, 'The usual order is shown.');
      return false;
    }),
  );
  const sorted = asked.sort === null || ordered('sort', asked.sort.column);
  if (!sorted) sentence('the order', writeSort(asked.sort), 'The usual order is shown.');
  return { view: { ...asked, filters, sort: sorted ? asked.sort : (defaults.sort ?? null) }, strange };
}

const unfound = {
  reason: (value: string) => `the reason “${value}”, which no alarm of this report has.`,
  person: (value: string) => `the person “${value}”, to whom no message of this report went.`,
};

/**
 * A sentence where the rows of the report have no such reason or person, who may be gone or in other days. The report stays narrowed to
 * it: other rows than those that were asked for would be taken for them. Nothing is said while the rows are on their way.
 */
export function unfoundIn(
  kind: keyof typeof unfound,
  asked: string | undefined,
  found: readonly (string | null)[] | undefined,
): string[] {
  if (!asked || found === undefined || found.includes(asked)) return [];
  return [`The address asks for ${unfound[kind](asked.slice(0, 50))}`];
}
