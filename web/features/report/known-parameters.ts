import { readSort, writeSort } from '../../../domain/order.ts';
import { readBetween } from '../../../domain/report/between.ts';
import { performanceFilters } from '../../../domain/report/performance.ts';
import { presets } from '../../../domain/report/range.ts';
import { messageKinds, stateFilters } from '../../../domain/report/shown-state.ts';
import { severities } from '../../../domain/rule/priority.ts';
import { key } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

/**
 * Sort keys that a report supports, keyed by URL parameter: `sort` for its long list, other names for its tables of
 * figures.
 */
export type KnownOrders = Readonly<Record<string, readonly string[]>>;

export interface Choice {
  /** Name of the parameter, for use in a sentence before its value: `the method`. */
  what: string;
  known: (value: string) => boolean;
  /** Sentence that tells the user what the report shows instead. */
  shown: string;
}

const isKey = (value: string) => key(value) !== undefined;
const oneOf = (values: readonly string[]) => (value: string) => values.includes(value);

/**
 * Returns the definitions of the URL parameters for unit office and site. `known` returns whether a unit office or site
 * with this key exists.
 */
export function placeChoices(
  known: (name: 'office' | 'site', key: string) => boolean,
): Record<'office' | 'site', Choice> {
  return {
    office: {
      what: 'the unit office',
      known: (value) => isKey(value) && known('office', value),
      shown: 'The report shows all unit offices instead.',
    },
    site: {
      what: 'the site',
      known: (value) => isKey(value) && known('site', value),
      shown: 'The report shows all sites instead.',
    },
  };
}

const choices: Readonly<Record<string, Choice>> = {
  range: { what: 'the range', known: oneOf(presets), shown: 'The report shows the last 30 days instead.' },
  by: { what: 'rows by', known: oneOf(['office', 'site']), shown: 'The report shows unit offices instead.' },
  ...placeChoices(() => true),
  rule: { what: 'the rule', known: isKey, shown: 'The report shows all rules instead.' },
  only: { what: 'the figure', known: oneOf(performanceFilters), shown: 'The report shows all alarms instead.' },
  severity: { what: 'the severity', known: oneOf(severities), shown: 'The report shows all severities instead.' },
  recipient: { what: 'the recipient', known: isKey, shown: 'The report shows all recipients instead.' },
  between: {
    what: 'the time',
    known: (value) => readBetween(value) !== undefined,
    shown: 'The report shows the whole days instead.',
  },
  method: { what: 'the method', known: oneOf(['1', '2', '3', '4']), shown: 'The report shows all methods instead.' },
  state: { what: 'the state', known: oneOf(stateFilters), shown: 'The report shows all states instead.' },
  kind: {
    what: 'messages about',
    known: oneOf(Object.keys(messageKinds)),
    shown: 'The report shows all messages instead.',
  },
};

/**
 * Removes from a view the parameters that the report does not support. Returns a sentence about each, so that users
 * notice that the report differs from what they requested.
 */
export function keepKnownParameters(
  asked: ListView,
  defaults: ListDefaults,
  orders: KnownOrders,
  more: Readonly<Record<string, Choice>> = {},
): { view: ListView; unknownParameters: string[] } {
  const all: Readonly<Record<string, Choice>> = { ...choices, ...more };
  const unknownParameters: string[] = [];
  const sentence = (what: string, value: string, shown: string) =>
    unknownParameters.push(
      `The address requests ${what} “${value.slice(0, 50)}”, which this report does not support. ${shown}`,
    );
  const ordered = (name: string, column: string | undefined) =>
    orders[name] === undefined || (column !== undefined && orders[name].includes(column));
  const filters = Object.fromEntries(
    Object.entries(asked.filters).filter(([name, value]) => {
      const choice = all[name];
      if (choice && !choice.known(value)) {
        // Days in the URL take precedence over a preset range.
        const days = name === 'range' && (asked.filters.from || asked.filters.to);
        sentence(choice.what, value, days ? 'The report shows the days in the address instead.' : choice.shown);
        return false;
      }
      if (ordered(name, readSort(value)?.column)) return true;
      sentence('the order', value, 'The report uses the default order.');
      return false;
    }),
  );
  const sorted = asked.sort === null || ordered('sort', asked.sort.column);
  if (!sorted) sentence('the order', writeSort(asked.sort), 'The report uses the default order.');
  return { view: { ...asked, filters, sort: sorted ? asked.sort : (defaults.sort ?? null) }, unknownParameters };
}

const missingRowTexts = {
  reason: (value: string) => `No alarm in this report has the reason “${value}”.`,
  person: (value: string) => `No message in this report went to “${value}”.`,
};

/**
 * Returns a sentence if no row has the requested reason or person. Returns an empty list while loading. The filter
 * stays active, so the report is then empty.
 */
export function missingRowMessages(
  kind: keyof typeof missingRowTexts,
  asked: string | undefined,
  found: readonly (string | null)[] | undefined,
): string[] {
  if (!asked || found === undefined || found.includes(asked)) return [];
  return [missingRowTexts[kind](asked.slice(0, 50))];
}
