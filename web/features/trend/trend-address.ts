import { type Span, sound, spans, usualSpan, type View } from '../../kit/chart/time-window.ts';
import { key } from '../../kit/list/list.ts';

/** Which earlier period is drawn beside the present one. */
export const comparisons = {
  '': { label: 'Nothing', ms: 0 },
  day: { label: 'A day earlier', ms: 86_400_000 },
  week: { label: 'A week earlier', ms: 7 * 86_400_000 },
  month: { label: 'Four weeks earlier', ms: 28 * 86_400_000 },
} as const;
export type Comparison = keyof typeof comparisons;

/** `shared`: values of one unit have one axis. `own`: each value has its own. */
export type Axes = 'shared' | 'own';

export interface TrendState {
  /** Undefined where the address names none. */
  points: string[] | undefined;
  view: View;
  compare: Comparison;
  axes: Axes;
}

/** A chart of the server has at most so many. */
export const MOST_POINTS = 20;

type Search = Readonly<Record<string, string | undefined>>;

/** Reads an address. What makes no sense in it is passed over, so that an old bookmark still opens. */
export function readAddress(search: Search, now: number): TrendState {
  const points = search.points?.split(',').flatMap((text) => key(text) ?? []);
  const compare = search.compare ?? '';
  return {
    points: points && [...new Set(points)].slice(0, MOST_POINTS),
    view: readView(search, now),
    compare: Object.hasOwn(comparisons, compare) ? (compare as Comparison) : '',
    axes: search.axes === 'own' ? 'own' : 'shared',
  };
}

function readView({ from, to, span }: Search, now: number): View {
  const window = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') };
  if (Number.isFinite(window.from) && Number.isFinite(window.to) && window.from < window.to) {
    return { follow: false, window: sound(window, now) };
  }
  return { follow: true, span: span !== undefined && Object.hasOwn(spans, span) ? (span as Span) : usualSpan };
}

/** What is usual is left out. */
export function writeAddress(state: TrendState): Record<string, string | undefined> {
  const { points, view, compare, axes } = state;
  return {
    points: points?.join(),
    span: view.follow && view.span !== usualSpan ? view.span : undefined,
    from: view.follow ? undefined : new Date(view.window.from).toISOString(),
    to: view.follow ? undefined : new Date(view.window.to).toISOString(),
    compare: compare || undefined,
    axes: axes === 'own' ? 'own' : undefined,
  };
}
