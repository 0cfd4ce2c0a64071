import { formatNumber } from '../../../kit/format/number.ts';
import { readDraft, writeDraft } from '../../../kit/record/draft.ts';
import { formatLimit } from '../../../ui/formats.ts';
import { type DraftLimits, type RuleValues, ruleDraftName } from '../rule-form.ts';

const NONE = '–';

/** Formats a number of seconds as a table shows it: `45 s`, `1 min 30 s`, `2 h`. */
export function secondsWords(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return words.length === 0 ? '0 s' : words.join(' ');
}

export interface SettingRow {
  name: string;
  before: string;
  after: string;
  isChanged: boolean;
}

/** Compares two sets of limits. Returns one row for each setting that is present in either of them. */
export function settingRows(before: DraftLimits, after: DraftLimits): SettingRow[] {
  const row = (name: string, was: number | null, is: number | null): SettingRow[] =>
    was === null && is === null ? [] : [{ name, before: figure(was), after: figure(is), isChanged: was !== is }];
  const figure = (value: number | null) => (value === null ? NONE : formatLimit(value));
  const clear = (limit: number | null, own: number | null) => own ?? limit;
  return [
    ...row('Lower limit', before.valueLower, after.valueLower),
    ...row('Clears above', clear(before.valueLower, before.clearLower), clear(after.valueLower, after.clearLower)),
    ...row('Upper limit', before.valueUpper, after.valueUpper),
    ...row('Clears below', clear(before.valueUpper, before.clearUpper), clear(after.valueUpper, after.clearUpper)),
    {
      name: 'Debounce',
      before: secondsWords(before.debounce),
      after: secondsWords(after.debounce),
      isChanged: before.debounce !== after.debounce,
    },
  ];
}

/** Formats a lower and an upper limit for one cell: `7.1`, `2 / 8`. */
export function pairWords(lower: number | null, upper: number | null): string {
  const both = [lower, upper].filter((value): value is number => value !== null);
  return both.map((value) => formatLimit(value)).join(' / ') || NONE;
}

/** Returns the share as a percentage without decimals: `88 %`. Never rounds up to 100 %. */
export function shareWords(part: number, whole: number): string {
  if (whole === 0) return NONE;
  const percent = (part / whole) * 100;
  return `${formatNumber(percent < 100 ? Math.min(99, Math.round(percent)) : 100)} %`;
}

/** Puts the settings into the rule's editor as unsaved input. Keeps unsaved input in other fields. */
export function fillEditor(ruleUuid: string, settings: DraftLimits): void {
  const name = ruleDraftName(ruleUuid);
  const { valueLower, valueUpper, clearLower, clearUpper, debounce } = settings;
  writeDraft(name, {
    ...readDraft<RuleValues>(name),
    valueLower: valueLower ?? '',
    valueUpper: valueUpper ?? '',
    clearLower: clearLower ?? '',
    clearUpper: clearUpper ?? '',
    debounce,
  } satisfies Partial<RuleValues>);
}
