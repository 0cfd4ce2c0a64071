import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { GraphqlError } from '../../api/graphql.ts';
import { messageOf } from '../../api/http.ts';
import { fieldNotUsable } from '../../ui/unusable.ts';
import { dropDraft, readDraft, writeDraft } from './draft.ts';
import { changedFields, conflictsOf, type FieldConflict, keepMine, onlyMine, takeTheirs } from './record-changes.ts';

/** A record as it stands on the server: its fields, and the mark by which the server knows whether it changed since. */
export interface Seen<V> {
  values: V;
  /** `updatedAt` of the row (`lastUpdated` of a site); undefined for one that does not exist yet. */
  mark: string | undefined;
}

export interface RecordFormOptions<V extends Record<string, unknown>> {
  /** What is being edited, such as 'site 4711' or 'site new': a draft is kept under it. Another name is another form. */
  name: string;
  seen: Seen<V>;
  /** What is wrong with a value, by field, before the server is asked. */
  validate?: (values: V) => Partial<Record<keyof V & string, string | null | undefined>>;
  /** Asks the user before saving. False cancels; values are saved in place of the form's. */
  agree?: (values: V) => Promise<boolean | V>;
  /** Saves; throws what the server said. `mark` goes along, so that the server can refuse what is outdated. */
  save: (values: V, mark: string | undefined) => Promise<void>;
  /** Reads the record again, after the server said that somebody changed it. Null when it is gone. */
  reload?: () => Promise<Seen<V> | null>;
  /** `seen` is read again when somebody changes it: while nobody has typed anything here, the form shows it. */
  follows?: boolean;
}

export interface RecordForm<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>;
  /** The look of a field that must be filled in; `getInputProps` of the form brings it along. */
  needed: (field: keyof V & string) => NeededProps;
  /** How many fields differ from what is stored. */
  changes: number;
  isChanged: (field: keyof V & string) => boolean;
  saving: boolean;
  /** What went wrong and belongs to no field; nothing that was typed is lost. */
  failure: string | null;
  /** What somebody else changed meanwhile. Saving waits for a choice. */
  conflicts: readonly FieldConflict<V>[] | null;
  /** What was changed here alone, while there is a conflict. */
  onlyMine: readonly (keyof V & string)[];
  /** Something that was typed earlier was put back. */
  restored: boolean;
  submit: () => Promise<boolean>;
  keepMine: () => Promise<boolean>;
  takeTheirs: () => void;
  /** Forgets what was typed. */
  discard: () => void;
  /** The record is no more: what was typed goes with it, and nobody is asked before leaving. */
  abandon: () => void;
  /** Leaving is meant: nobody is asked whether to stay. */
  leaving: RefObject<boolean>;
}

/** One form for creating and for editing: it says what is wrong at its field, and never overwrites what it has not seen. */
export function useRecordForm<V extends Record<string, unknown>>(options: RecordFormOptions<V>): RecordForm<V> {
  const { name, validate, agree, save, reload } = options;
  const client = useQueryClient();
  const [base, setBase] = useState(options.seen);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<Seen<V> | null>(null);
  const draft = useRef(readDraft<V>(name)).current;
  const form = useForm<V>({
    mode: 'controlled',
    initialValues: draft ? { ...options.seen.values, ...draft } : options.seen.values,
    validate: (values) => withoutBlanks(validate?.(values) ?? {}) as never,
    validateInputOnBlur: true,
    enhanceGetInputProps: ({ field, form: own }) => neededProps(field as keyof V & string, own.getValues(), validate),
  });
  const values = form.getValues();
  const changed = changedFields(base.values, values);
  const [restored, setRestored] = useState(draft !== null && changed.length > 0);
  const leaving = useRef(false);

  useEffect(() => {
    if (changed.length === 0 || leaving.current) dropDraft(name);
    else writeDraft(name, Object.fromEntries(changed.map((field) => [field, values[field]])));
  });

  const isOutdated = options.follows === true && options.seen.mark !== base.mark && changed.length === 0 && !saving;
  useEffect(() => {
    if (!isOutdated) return;
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
      await save(chosen, mark);
      dropDraft(name);
      // What was just made may have been the next step of a plant that is being set up.
      void client.invalidateQueries({ queryKey: ['first-steps'] });
      setBase({ values: chosen, mark });
      return true;
    } catch (error) {
      await refused(error);
      return false;
    } finally {
      setSaving(false);
    }
  };

  const refused = async (error: unknown): Promise<void> => {
    // What is taken by another record is a conflict too, but it has a field.
    if (error instanceof GraphqlError && error.code === 'CONFLICT' && error.field === undefined && reload) {
      const now = await reload().catch(() => undefined);
      if (now === null) setFailure('Somebody deleted it meanwhile. Copy what you need and close this panel.');
      else if (now) setTheirs(now);
      else setFailure('Somebody changed it meanwhile, and it could not be read again. Try once more.');
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

/** What marks a field that must be filled in, for the eye and for a screen reader. */
export interface NeededProps {
  labelProps?: { 'data-needed': true };
  'aria-required'?: true;
}

/** A field must be filled in when the form's own check refuses it empty, with the other fields as they are now. */
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
 * The first field that is wrong is where the person goes on. Fields carry their name as data-path, as @mantine/form gives
 * it. One that stands in another tab can take the focus only once its tab has come forward.
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
