import { useNavigate, useSearch } from '@tanstack/react-router';

export const NEW = 'new';

/** What a link can give a new record to begin with. It goes with the record, or the next one would begin with it too. */
const beginnings = {
  site: undefined,
  rule: undefined,
  datapoint: undefined,
  uids: undefined,
  asset: undefined,
  sensor: undefined,
  input: undefined,
  part: undefined,
};

export interface RecordAddress {
  /** The uuid of the record that is open in the panel, 'new' for one that is being made, or undefined. */
  open: string | undefined;
  openRecord: (id: string, more?: Record<string, string>) => void;
  close: () => void;
}

/** Which record is open stands in the address, so that it can be sent, and Back closes it. */
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
