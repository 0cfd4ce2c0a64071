export type { KnownPoint } from './lines.ts';
export { Trend } from './Trend.tsx';
export { trendSeriesQuery } from './trend.queries.ts';
export { MOST_POINTS, writeAddress } from './trend-address.ts';
export { useTrendAddress } from './useTrendAddress.ts';
