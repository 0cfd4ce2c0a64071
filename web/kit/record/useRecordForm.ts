import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { GraphqlError } from '../../api/graphql.ts';
import { messageOf } from '../../api/http.ts';
import { afterPress } from '../../ui/field/after-press.ts';
import { fieldNotUsable } from '../../ui/field/unusable.ts';
import { dropDraft, readDraft, writeDraft } from './draft.ts';
import { changedFields, conflictsOf, type FieldConflict, keepMine, onlyMine, takeTheirs } from './record-changes.ts';

/** A record as last read. Its `mark` identifies the version and is used to detect changes by other users. */
export interface Seen<V> {
  values: V;
  /** `updatedAt` of the row, or `lastUpdated` of a site; undefined for a new record. */
  mark: string | undefined;
}

export interface RecordFormOptions<V extends Record<string, unknown>> {
  /**
   * Identifies the form, such as 'site 4711' or 'site new'. Its draft is stored under this name. A new name resets the
   * form.
   */
  name: string;
  seen: Seen<V>;
  /** Validates the fields before a request is sent. */
  validate?: (values: V) => Partial<Record<keyof V & string, string | null | undefined>>;
  /**
   * Asks the user for confirmation before saving. If it returns false, nothing is saved. If it returns values, these
   * are saved instead of the form's values.
   */
  agree?: (values: V) => Promise<boolean | V>;
  /**
   *  Saves the values. Throws the server's error, for example for an outdated `mark`. A form that stays open must
   * return the new mark; otherwise its next save conflicts with this save.
   */
  save: (values: V, mark: string | undefined) => Promise<void> | Promise<string | undefined>;
  /** Reads the record again after a conflict. Returns null if it was deleted. */
  reload?: () => Promise<Seen<V> | null>;
  /** True if `seen` is refetched. The form then shows new values while it has no unsaved input. */
  follows?: boolean;
}

export interface RecordForm<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>;
  /** Returns props that mark a required field. The form's `getInputProps` includes them. */
  needed: (field: keyof V & string) => NeededProps;
  /** Number of fields that differ from the stored record. */
  changes: number;
  isChanged: (field: keyof V & string) => boolean;
  saving: boolean;
  /** Error that does not belong to a particular field. The input is kept. */
  failure: string | null;
  /** Fields that another user changed; null without a conflict. Saving waits for the user's choice. */
  conflicts: readonly FieldConflict<V>[] | null;
  /** During a conflict, the fields that only this user changed. */
  onlyMine: readonly (keyof V & string)[];
  /** True if a draft was restored. */
  restored: boolean;
  submit: () => Promise<boolean>;
  keepMine: () => Promise<boolean>;
  takeTheirs: () => void;
  discard: () => void;
  /** Discards the input of a deleted record and allows leaving the page without a confirmation. */
  abandon: () => void;
  /** Set to true to leave the page without a confirmation. */
  leaving: RefObject<boolean>;
}

/**
 * Manages a form for adding or editing a record. Shows errors at their fields, and never overwrites changes that the
 * user has not seen.
 */
export function useRecordForm<V extends Record<string, unknown>>(options: RecordFormOptions<V>): RecordForm<V> {
  const { name, validate, agree, save, reload } = options;
  const client = useQueryClient();
  const [base, setBase] = useState(options.seen);
  const [followedMark, setFollowedMark] = useState(options.seen.mark);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<Seen<V> | null>(null);
  const draft = useRef(readDraft<V>(name)).current;
  const form = useForm<V>({
    mode: 'controlled',
    initialValues: draft ? { ...options.seen.values, ...draft } : options.seen.values,
    validate: (values) => withoutBlanks(validate?.(values) ?? {}) as never,
    enhanceGetInputProps: ({ field, form: own }) => ({
      ...neededProps(field as keyof V & string, own.getValues(), validate),
      onBlur: () =>
        afterPress(() => {
          if (own.isDirty(field)) own.validateField(field);
        }),
    }),
  });
  const values = form.getValues();
  const changed = changedFields(base.values, values);
  const [restored, setRestored] = useState(draft !== null && changed.length > 0);
  const leaving = useRef(false);

  useEffect(() => {
    if (changed.length === 0 || leaving.current) dropDraft(name);
    else writeDraft(name, Object.fromEntries(changed.map((field) => [field, values[field]])));
  });

  const isOutdated = options.follows === true && options.seen.mark !== followedMark && changed.length === 0 && !saving;
  useEffect(() => {
    if (!isOutdated) return;
    setFollowedMark(options.seen.mark);
    setBase(options.seen);
    setRestored(false);
    form.setValues(options.seen.values);
  });

  const store = async (mine: V, mark: string | undefined): Promise<boolean> => {
    setSaving(true);
    setFailure(null);
    try {
      const agreed = (await agree?.(mine)) ?? true;
      if (agreed === false) return false;
      const chosen = agreed === true ? mine : agreed;
      if (chosen !== mine) form.setValues(chosen);
      const newMark = await save(chosen, mark);
      dropDraft(name);
      // The setup steps are refetched, because the new record may complete one of them.
      void client.invalidateQueries({ queryKey: ['first-steps'] });
      setBase({ values: chosen, mark: newMark ?? mark });
      return true;
    } catch (error) {
      await refused(error);
      return false;
    } finally {
      setSaving(false);
    }
  };

  const refused = async (error: unknown): Promise<void> => {
    // A duplicate value also has the code CONFLICT, but its error refers to a field and is shown at that field.
    if (error instanceof GraphqlError && error.code === 'CONFLICT' && error.field === undefined && reload) {
      const now = await reload().catch(() => undefined);
      if (now === null) setFailure('This record was deleted in the meantime. Copy your input, then close this panel.');
      else if (now) setTheirs(now);
      else setFailure('This record was changed in the meantime and could not be reloaded. Try again.');
      return;
    }
    const field = error instanceof GraphqlError ? error.field : undefined;
    if (field !== undefined && field in values) {
      form.setFieldError(field, messageOf(error));
      focusField(field);
    } else {
      setFailure(messageOf(error));
    }
  };

  return {
    form,
    needed: (field) => neededProps(field, values, validate),
    changes: changed.length,
    isChanged: (field) => changed.includes(field),
    saving,
    failure,
    conflicts: theirs && conflictsOf(base.values, values, theirs.values),
    onlyMine: theirs ? onlyMine(base.values, values, theirs.values) : [],
    restored,
    async submit() {
      const { hasErrors, errors } = form.validate();
      if (hasErrors) {
        focusField(Object.keys(errors)[0] ?? '');
        return false;
      }
      const unusable = fieldNotUsable();
      if (unusable) {
        focusOn(() => unusable);
        return false;
      }
      return store(values, base.mark);
    },
    async keepMine() {
      if (!theirs) return false;
      const mine = keepMine(base.values, values, theirs.values);
      form.setValues(mine);
      setTheirs(null);
      setBase(theirs);
      return store(mine, theirs.mark);
    },
    takeTheirs() {
      if (!theirs) return;
      form.setValues(takeTheirs(base.values, values, theirs.values));
      setBase(theirs);
      setTheirs(null);
    },
    discard() {
      dropDraft(name);
      form.setValues(base.values);
      form.clearErrors();
      setRestored(false);
      setFailure(null);
    },
    abandon() {
      leaving.current = true;
      dropDraft(name);
    },
    leaving,
  };
}

/** Props that mark a required field, visually and for screen readers. */
export interface NeededProps {
  labelProps?: { 'data-needed': true };
  'aria-required'?: true;
}

/**
 * Returns the props of a required field. A field is required if validation rejects it when empty, given the current
 * values of the other fields.
 */
function neededProps<V extends Record<string, unknown>>(
  field: keyof V & string,
  values: V,
  validate: RecordFormOptions<V>['validate'],
): NeededProps {
  const value = values[field];
  if (typeof value === 'boolean' || Array.isArray(value)) return {};
  const empty = { ...values, [field]: typeof value === 'string' || typeof value === 'number' ? '' : null };
  return validate?.(empty)[field] ? { labelProps: { 'data-needed': true }, 'aria-required': true } : {};
}

function withoutBlanks(errors: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

const FRAMES = 10;

/**
 * Focuses the field with this name, which `@mantine/form` sets as `data-path`. Retries, because a field in another tab
 * can be focused only after its tab opens.
 */
function focusField(name: string): void {
  focusOn(() => {
    const field = document.querySelector(`[data-path="${CSS.escape(name)}"]`);
    return field?.matches('input, textarea, button, select')
      ? field
      : field?.querySelector('input, textarea, button, select');
  });
}

function focusOn(find: () => Element | null | undefined, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const input = find();
    if (!(input instanceof HTMLElement)) return;
    input.focus();
    if (document.activeElement !== input && frames > 0) focusOn(find, frames - 1);
  });
}
