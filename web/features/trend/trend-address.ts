import { type Span, sound, spans, usualSpan, type View } from '../../kit/chart/time-window.ts';
import { key } from '../../kit/list/list.ts';

/** Earlier periods that the trend can be compared with. */
export const comparisons = {
  '': { label: 'Nothing', ms: 0 },
  day: { label: 'A day earlier', ms: 86_400_000 },
  week: { label: 'A week earlier', ms: 7 * 86_400_000 },
  month: { label: 'Four weeks earlier', ms: 28 * 86_400_000 },
} as const;
export type Comparison = keyof typeof comparisons;

/** Value axes: `shared` means one axis per unit, `own` means one axis per data point. */
export type Axes = 'shared' | 'own';

export interface TrendState {
  /** The chosen data points; undefined if the URL contains none. */
  points: string[] | undefined;
  view: View;
  compare: Comparison;
  axes: Axes;
}

/** Maximum number of data points in one query to the server. */
export const MOST_POINTS = 20;

type Search = Readonly<Record<string, string | undefined>>;

/** Reads the state from the URL. Ignores invalid parameters, so that old bookmarks still work. */
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

/** Returns the URL parameters for a state. Default values are omitted. */
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
