import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { now } from '../../ui/time/clock.ts';
import { toast } from '../../ui/toast/toast.ts';
import { MOST_POINTS, readAddress, type TrendState, writeAddress } from './trend-address.ts';

const PAUSE = 250;

export interface TrendAddress extends Omit<TrendState, 'points'> {
  points: readonly string[];
  change: (change: Partial<TrendState>) => void;
  /** Adds or removes a data point. */
  toggle: (uuid: string) => void;
}

type Search = Readonly<Record<string, string | undefined>>;

const textOf = (search: Search) => JSON.stringify(writeAddress(readAddress(search, Number.MAX_SAFE_INTEGER)));

/**
 * Returns the state of a trend. The state is stored in the URL, so that a trend can be bookmarked and shared. The URL
 * is updated after a pause, because browsers limit the number of updates. `usual` contains the data points to show if
 * the URL specifies none.
 */
export function useTrendAddress(usual: readonly string[]): TrendAddress {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [state, setState] = useState(() => readAddress(search, now().getTime()));
  const text = textOf(search);
  const known = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (known.current === text) return;
    known.current = text;
    setState(readAddress(search, now().getTime()));
  }, [text, search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const latest = useRef(state);
  latest.current = state;
  const points = state.points ?? usual;

  const change = useCallback(
    (part: Partial<TrendState>) => {
      const next = { ...latest.current, ...part };
      latest.current = next;
      setState(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        const written = writeAddress(next);
        known.current = textOf(written);
        void navigate({
          to: '.',
          search: ((before: Record<string, unknown>) => ({ ...before, ...written })) as never,
          replace: true,
          resetScroll: false,
        });
      }, PAUSE);
    },
    [navigate],
  );
  const toggle = (uuid: string) => {
    if (points.includes(uuid)) change({ points: points.filter((one) => one !== uuid) });
    else if (points.length >= MOST_POINTS)
      toast.info(`A trend shows at most ${MOST_POINTS} values. Remove a value first.`);
    else change({ points: [...points, uuid] });
  };
  return { ...state, points, change, toggle };
}
