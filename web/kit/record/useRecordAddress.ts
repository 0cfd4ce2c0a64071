import { useNavigate, useSearch } from '@tanstack/react-router';

export const NEW = 'new';

/**
 * URL parameters for one record, such as the initial values of a new record. They are removed when the form closes, so
 * that the next new record does not use them.
 */
const beginnings = {
  site: undefined,
  rule: undefined,
  datapoint: undefined,
  uids: undefined,
  asset: undefined,
  sensor: undefined,
  input: undefined,
  part: undefined,
  view: undefined,
  tried: undefined,
};

export interface RecordAddress {
  /** The uuid of the open record, 'new' for a new record, or undefined. */
  open: string | undefined;
  openRecord: (id: string, more?: Record<string, string>) => void;
  close: () => void;
}

/** Keeps the open record in the URL, so that the URL can be shared. The Back button closes the record. */
export function useRecordAddress(parameter = 'record'): RecordAddress {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const value = search[parameter];
  const go = (id: string | undefined, more: Record<string, string | undefined> = {}) =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({ ...before, ...beginnings, ...more, [parameter]: id })) as never,
      resetScroll: false,
    });
  return {
    open: typeof value === 'string' && value !== '' ? value : undefined,
    openRecord: (id, more) => go(id, more),
    close: () => go(undefined),
  };
}
