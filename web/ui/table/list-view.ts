import { readSort, type Sort, writeSort } from '../../../domain/order.ts';

/** A list's state in the URL, so that a view can be bookmarked and shared. */
export interface ListView {
  search: string;
  sort: Sort | null;
  /** The first page is 1. */
  page: number;
  size: number;
  filters: Readonly<Record<string, string>>;
}

export type { Sort };

/** The initial view. Values equal to it are omitted from the URL. */
export interface ListDefaults {
  sort?: Sort;
  size?: number;
  /** Names of the filters; each becomes a parameter of the URL. */
  filters?: readonly string[];
}

const MAX_SIZE = 500;
const RESERVED = new Set(['q', 'sort', 'page', 'size']);

/** Parses a view from the parameters of a URL. The URL is untrusted, so invalid values count as missing. */
export function parseListView(search: Readonly<Record<string, unknown>>, defaults: ListDefaults = {}): ListView {
  const filters: Record<string, string> = {};
  for (const name of filterNames(defaults)) {
    const value = text(search[name]);
    if (value !== '') {
      filters[name] = value;
    }
  }
  return {
    search: text(search.q),
    sort: readSort(text(search.sort)) ?? defaults.sort ?? null,
    page: positive(search.page, 1),
    size: Math.min(positive(search.size, defaults.size ?? 50), MAX_SIZE),
    filters,
  };
}

/** Formats a view as URL parameters. An undefined value removes its parameter. */
export function formatListView(view: ListView, defaults: ListDefaults = {}): Record<string, string | undefined> {
  const sort = writeSort(view.sort);
  const usualSort = writeSort(defaults.sort ?? null);
  const parameters: Record<string, string | undefined> = {
    q: view.search || undefined,
    sort: sort === usualSort || sort === '' ? undefined : sort,
    page: view.page > 1 ? String(view.page) : undefined,
    size: view.size === (defaults.size ?? 50) ? undefined : String(view.size),
  };
  for (const name of filterNames(defaults)) {
    parameters[name] = view.filters[name] || undefined;
  }
  return parameters;
}

/** Returns the view with a new search, starting at the first page. */
export function withSearch(view: ListView, search: string): ListView {
  return { ...view, search, page: 1 };
}

export function withFilter(view: ListView, name: string, value: string): ListView {
  return { ...view, filters: { ...view.filters, [name]: value }, page: 1 };
}

export function withSort(view: ListView, sort: Sort | null): ListView {
  return { ...view, sort, page: 1 };
}

/** Returns true if a search or filter hides rows. Filters in `standing` define the list and do not count. */
export function isNarrowed(view: ListView, standing: readonly string[] = []): boolean {
  return view.search !== '' || narrowing(view, standing).length > 0;
}

export function narrowing(view: ListView, standing: readonly string[] = []): string[] {
  return Object.keys(view.filters).filter((name) => view.filters[name] !== '' && !standing.includes(name));
}

export function widened(view: ListView, standing: readonly string[] = []): ListView {
  const filters = Object.fromEntries(Object.entries(view.filters).filter(([name]) => standing.includes(name)));
  return { ...view, search: '', filters, page: 1 };
}

/** Returns the page number, the number of pages, and the numbers of the first and last row on the page. */
export function pageRange(view: Pick<ListView, 'page' | 'size'>, total: number) {
  const pages = Math.max(1, Math.ceil(total / view.size));
  const page = Math.min(view.page, pages);
  const from = total === 0 ? 0 : (page - 1) * view.size + 1;
  return { page, pages, from, to: Math.min(page * view.size, total) };
}

/** Returns the number of rows to skip on the server for this view. */
export function offsetOf(view: Pick<ListView, 'page' | 'size'>): number {
  return (view.page - 1) * view.size;
}

function filterNames(defaults: ListDefaults): string[] {
  return (defaults.filters ?? []).filter((name) => !RESERVED.has(name));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function positive(value: unknown, otherwise: number): number {
  const number = /^\d{1,7}$/.test(text(value)) ? Number(value) : 0;
  return number >= 1 ? number : otherwise;
}
