import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { useFirstAnswer } from '../../ui/first-answer.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { type BoardFilter, type BoardSite, fetchBoard, fetchTrends, SELDOM, type Trend } from './dashboard.queries.ts';
import classes from './SiteBoard.module.css';
import { SiteTile, TileSkeleton } from './SiteTile.tsx';

const PAGE = 48;
const TILE_HEIGHT = 103;
const GAP = 8;

interface SiteBoardProps {
  filter: BoardFilter;
  /** Shown when there are no sites. */
  empty: ReactNode;
  /** Called with the visible sites whenever they change. */
  onShow: (uuids: readonly string[]) => void;
}

/**
 * Shows the sites as tiles, worst first. Renders only the visible tiles, and fetches only the pages of sites that they
 * need.
 */
export function SiteBoard({ filter, empty, onShow }: SiteBoardProps) {
  const { ref, width } = useElementSize();
  const top = useTopOf('site-board');
  const first = useQuery({ ...pageOf(filter, 0), placeholderData: keepPreviousData });
  const firstPage = useFirstAnswer(first.data);
  const columns = Math.max(1, Math.floor((width + GAP) / ((width < 600 ? 160 : 208) + GAP)));
  const total = firstPage?.total ?? 4 * columns;
  const rows = useWindowVirtualizer({
    count: Math.ceil(total / columns),
    estimateSize: () => TILE_HEIGHT + GAP,
    overscan: 2,
    scrollMargin: top,
    // This scroll function does nothing, because the board never scrolls the page. The default function would scroll to
    // the current position, which forces a layout.
    scrollToFn: () => {},
  });
  const visible = rows.getVirtualItems();
  const from = (visible[0]?.index ?? 0) * columns;
  const to = Math.min(total, ((visible.at(-1)?.index ?? 0) + 1) * columns);
  // No pages are fetched while the user scrolls. Cached pages are still rendered.
  const idle = !rows.isScrolling;
  const sites = useSites(filter, from, to, firstPage, idle);
  const trends = useTrends(sites, idle);
  const shown = pagesAround(sites, from, to);
  useEffect(() => {
    if (idle && shown !== '') onShow(shown.split(','));
  }, [idle, shown, onShow]);

  if (first.isError && !first.data) {
    return (
      <Card>
        <ErrorState title="The sites could not be loaded" onRetry={() => void first.refetch()}>
          {messageOf(first.error)}
        </ErrorState>
      </Card>
    );
  }
  if (firstPage?.total === 0) {
    return <Card>{empty}</Card>;
  }
  return (
    <ul
      id="site-board"
      ref={ref}
      className={classes.board}
      // Reserves the full window height: otherwise a scrollbar would appear with the first response and move the tiles.
      style={{ height: firstPage ? rows.getTotalSize() - GAP : '100vh' }}
      aria-label="Sites"
      aria-busy={firstPage === undefined || first.isPlaceholderData}
      data-stale={first.isPlaceholderData || undefined}
    >
      {width === 0
        ? null
        : visible.flatMap((row) =>
            Array.from({ length: Math.min(columns, total - row.index * columns) }, (_, column) => {
              const index = row.index * columns + column;
              const site = sites.get(index);
              const tile = (width + GAP) / columns;
              return (
                <li
                  key={site?.uuid ?? index}
                  className={classes.place}
                  aria-setsize={total}
                  aria-posinset={index + 1}
                  style={{
                    width: tile - GAP,
                    height: TILE_HEIGHT,
                    transform: `translate(${column * tile}px, ${row.start - top}px)`,
                  }}
                >
                  {site ? <SiteTile site={site} trend={trends[site.uuid]} /> : <TileSkeleton />}
                </li>
              );
            }),
          )}
    </ul>
  );
}

/** Returns the element's vertical offset on the page, which changes with the height of the content above. */
function useTopOf(id: string): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    // Reads the position after a layout, when reading is cheap. Reading it during rendering would force a layout.
    const observer = new ResizeObserver(() => {
      const element = document.getElementById(id);
      if (element) setTop(Math.round(element.getBoundingClientRect().top + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [id]);
  return top;
}

function pageOf(filter: BoardFilter, page: number) {
  return {
    queryKey: ['dashboard', 'board', filter, page],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchBoard(filter, PAGE, page * PAGE, signal),
    refetchInterval: SELDOM,
  };
}

/** Returns the loaded sites, keyed by index: the sites in view and one page before and after them. */
function useSites(
  filter: BoardFilter,
  from: number,
  to: number,
  firstPage: { total: number; sites: readonly BoardSite[] } | undefined,
  idle: boolean,
): Map<number, BoardSite> {
  const last = Math.ceil((firstPage?.total ?? 0) / PAGE);
  const pages = range(Math.max(1, Math.floor(from / PAGE) - 1), Math.min(last, Math.ceil(to / PAGE) + 1));
  const results = useQueries({ queries: pages.map((page) => ({ ...pageOf(filter, page), enabled: idle })) });
  const sites = new Map<number, BoardSite>();
  const put = (page: number, found: readonly BoardSite[]) => {
    for (const [index, site] of found.entries()) {
      sites.set(page * PAGE + index, site);
    }
  };
  put(0, firstPage?.sites ?? []);
  for (const [index, page] of pages.entries()) {
    put(page, results[index]?.data?.sites ?? []);
  }
  return sites;
}

/** Returns the uuids of all sites on the visible pages. The result stays the same when the user scrolls by one row. */
function pagesAround(sites: ReadonlyMap<number, BoardSite>, from: number, to: number): string {
  const [first, end] = [Math.floor(from / PAGE) * PAGE, Math.ceil(to / PAGE) * PAGE];
  return range(first, end)
    .flatMap((index) => sites.get(index)?.uuid ?? [])
    .join();
}

/**
 * Fetches the sparklines of the tiles. Sparklines are slow to compute and change slowly, so they load last and refresh
 * rarely.
 */
function useTrends(sites: ReadonlyMap<number, BoardSite>, idle: boolean): Record<string, Trend> {
  const pages = Map.groupBy(sites, ([index]) => Math.floor(index / PAGE));
  // Sorts the uuids, so that the same sites in another order use the same query.
  const parts = [...pages.values()].flatMap((page) => {
    const uuids = page.map(([, site]) => site.uuid).toSorted();
    return [uuids.slice(0, PAGE / 2), uuids.slice(PAGE / 2)].filter((part) => part.length > 0);
  });
  const results = useQueries({
    queries: parts.map((part) => ({
      queryKey: ['site-trends', part],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchTrends(part, signal),
      staleTime: 300_000,
      enabled: idle,
    })),
  });
  const trends: Record<string, Trend> = Object.assign({}, ...results.map((result) => result.data ?? {}));
  // When an alarm opens, a tile may show a different data point, whose sparkline must then be fetched.
  const others = [...sites.values()]
    .filter(({ uuid, leadDatapoint: point }) => point && trends[uuid] && trends[uuid].datapoint !== point.uuid)
    .map(({ uuid, leadDatapoint: point }) => `${uuid} ${point?.uuid}`)
    .toSorted()
    .join();
  const cache = useQueryClient();
  useEffect(() => {
    if (others !== '') {
      void cache.invalidateQueries({
        predicate: ({ queryKey: [kind, part] }) =>
          kind === 'site-trends' && (part as readonly string[]).some((uuid) => others.includes(uuid)),
      });
    }
  }, [cache, others]);
  return trends;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
