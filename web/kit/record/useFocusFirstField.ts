import { type RefObject, useEffect } from 'react';
import type { RecordForm } from './useRecordForm.ts';

const EDITABLE = 'input:not([readonly]):not([disabled]), textarea:not([disabled]), select:not([disabled])';

/**
 * Focuses a field when a form opens: the first empty required field. If there is none, focuses the first empty field of
 * a new record, or the first field of an existing one. Checks the form's values as well as the inputs, because a picker
 * shows its label only after loading it.
 */
export function useFocusFirstField<V extends Record<string, unknown>>(
  root: RefObject<HTMLElement | null>,
  { form, needed }: Pick<RecordForm<V>, 'form' | 'needed'>,
  { isWanted = true, isNew = false } = {},
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the form opens, not while the user types.
  useEffect(() => {
    // Do not focus a field on a phone, because the on-screen keyboard would cover the form before the user has seen it.
    if (!isWanted || matchMedia('(max-width: 767px)').matches) return;
    const fields = [...(root.current?.querySelectorAll<HTMLElement>(EDITABLE) ?? [])];
    const values = form.getValues();
    const nameOf = (field: HTMLElement) => field.closest<HTMLElement>('[data-path]')?.dataset.path ?? '';
    const isMissing = (field: HTMLElement) => {
      const name = nameOf(field);
      return name in values && isEmpty(values[name]) && needed(name)['aria-required'] === true;
    };
    const isBlank = (field: HTMLElement) =>
      'value' in field && field.value === '' && isEmpty(values[nameOf(field)]) && isNew;
    (fields.find(isMissing) ?? fields.find(isBlank) ?? fields[0])?.focus();
  }, []);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
