import { counted } from '../../../kit/format/number.ts';
import type { Scope, ShelvingChoice } from './shelve.queries.ts';

const scopeWords: Record<Scope, string> = {
  alarm: 'This alarm',
  rule: 'Rule',
  datapoint: 'Data point',
  asset: 'Asset',
  site: 'Site',
};

/** Label of a scope: `This alarm`, `Asset`. */
export const scopeLabel = (scope: Scope): string => scopeWords[scope];

/** Returns how many rules and open alarms a choice affects: `4 rules, 1 open alarm`. */
export function scopeExtent({ scope, rules, openAlarms }: ShelvingChoice): string {
  const open = counted(openAlarms, 'open alarm');
  if (scope === 'alarm') return 'this occurrence only';
  return scope === 'rule' ? open : `${counted(rules, 'rule')}, ${openAlarms.toLocaleString()} open`;
}

/** Returns the target of a shelving, for use inside a sentence: `this alarm`, `the asset “Pump 1”`. */
export function targetWords(scope: string, name: string): string {
  if (scope === 'alarm') return 'this alarm';
  return `the ${(scopeWords[scope as Scope] ?? scope).toLowerCase()} “${name}”`;
}

/** Reasons offered if the rule has no list of reasons. */
export const generalReasons: readonly string[] = ['Work in progress', 'Known fault, repair planned', 'Sensor fault'];

/** Joins the chosen reason and the typed text: `Sensor fault: replaced on Monday`. */
export function reasonText(chosen: string, typed: string): string {
  return [chosen, typed.trim()].filter((part) => part !== '').join(': ');
}

/** Returns the names of the people whom an alarm notifies, from the recipients stored with the alarm. */
export function namesOf(recipients: unknown, list: 'alert' | 'escalate'): string[] {
  const people =
    typeof recipients === 'object' && recipients !== null ? (recipients as Record<string, unknown>)[list] : [];
  if (!Array.isArray(people)) return [];
  return people.flatMap(({ name, methods }: { name?: unknown; methods?: unknown }) =>
    typeof name === 'string' && Array.isArray(methods) && methods.length > 0 ? [name] : [],
  );
}
