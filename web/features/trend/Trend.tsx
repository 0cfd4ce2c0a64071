import { useViewportSize } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { TbChartLine } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { resolutionWords } from '../../kit/chart/series.ts';
import { panned, sound, usualSpan, type Window, zoomed } from '../../kit/chart/time-window.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { now as present } from '../../ui/time/clock.ts';
import { AlarmStrip } from './AlarmStrip.tsx';
import { axisFont } from './chart-paint.ts';
import { chartHeight, type KnownPoint, panelsOf, valueAxisWidth } from './lines.ts';
import type { PickerAsset } from './PointPicker.tsx';
import classes from './Trend.module.css';
import { TrendLegend } from './TrendLegend.tsx';
import { TrendToolbar } from './TrendToolbar.tsx';
import { useFullScreen } from './useFullScreen.ts';
import type { TrendAddress } from './useTrendAddress.ts';
import { useTrendData } from './useTrendData.ts';

/**
 * Chart component, loaded on demand. If its code cannot be loaded, a message is shown, and the rest of the page still
 * works.
 */
const TrendChart = lazy(() => import('./TrendChart.tsx').catch(() => ({ default: NoChart })));

const HEIGHT = 360;
/** Height in pixels of everything on the trend page other than the chart. */
const OTHER_CONTENT_HEIGHT = 340;
/** Padding of `.waiting`, in pixels. */
const WAITING_PADDING = 16;
const CURSOR_STEP = 0.01;

interface TrendProps {
  address: TrendAddress;
  /** Assets whose data points the picker lists first. */
  offered?: readonly PickerAsset[];
  /** Data points that the page has already loaded. */
  loadedPoints?: readonly KnownPoint[];
  /** True if the trend is shown on its own page. */
  isOwnPage?: boolean;
}

/** Trend chart that shows live values at its right end. The user can zoom and pan by mouse, touch or keyboard. */
export function Trend({ address, offered = [], loadedPoints, isOwnPage = false }: TrendProps) {
  const { points, view, change, axes } = address;
  const [width, setWidth] = useState(0);
  const [cursor, setCursor] = useState<number | null>(null);
  const card = useRef<HTMLElement>(null);
  const canvases = useRef<() => HTMLCanvasElement[]>(() => []);
  const full = useFullScreen(card);
  const screen = useViewportSize();
  const data = useTrendData(address, width, loadedPoints);
  const { window, lines, series } = data;
  const panels = useMemo(() => panelsOf(lines, axes), [lines, axes]);
  const axisWidth = useMemo(() => valueAxisWidth(panels, axisTextWidth), [panels]);
  const height = full.on ? full.height : isOwnPage ? Math.max(HEIGHT, screen.height - OTHER_CONTENT_HEIGHT) : HEIGHT;
  const reserved = panels.length === 0 ? height : chartHeight(panels, height);
  const go = useCallback(
    (next: Window) => change({ view: { follow: false, window: sound(next, present().getTime()) } }),
    [change],
  );
  const reset = useCallback(() => change({ view: { follow: true, span: usualSpan } }), [change]);
  const last = useRef(view.follow ? view.span : usualSpan);
  if (view.follow) last.current = view.span;
  const follow = useCallback(() => change({ view: { follow: true, span: last.current } }), [change]);

  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = present().getTime();
    const middle = cursor ?? (window.from + window.to) / 2;
    const step = (window.to - window.from) * CURSOR_STEP;
    const side = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (side !== 0 && event.shiftKey) go(panned(window, side * 0.1, at));
    else if (side !== 0) setCursor(Math.min(window.to, Math.max(window.from, (cursor ?? window.to) + side * step)));
    else if (event.key === '+' || event.key === '=') go(zoomed(window, 0.7, middle, at));
    else if (event.key === '-') go(zoomed(window, 1 / 0.7, middle, at));
    else if (event.key === 'End') follow();
    else if (event.key === 'Escape' && cursor !== null) setCursor(null);
    else return;
    event.preventDefault();
  };

  const nothing =
    data.values.data !== undefined && !data.values.isPlaceholderData && series.every(({ times }) => times.length === 0);
  const failed = [data.values, data.known].find(({ isError, data: known }) => isError && known === undefined);
  return (
    <section
      ref={card}
      className={classes.card}
      style={{ '--value-axis': `${axisWidth}px` } as CSSProperties}
      data-full={full.on || undefined}
      aria-label="Trend"
    >
      <TrendToolbar
        address={address}
        offered={offered}
        isOwnPage={isOwnPage}
        full={full}
        onZoom={(factor) => go(zoomed(window, factor, (window.from + window.to) / 2, present().getTime()))}
        onPan={(share) => go(panned(window, share, present().getTime()))}
        data={data}
        canvases={canvases}
      />
      <TrendLegend address={address} data={data} cursor={cursor} />
      {points.length === 0 ? (
        <EmptyState icon={TbChartLine} title="No values yet">
          {isOwnPage ? 'Use “Add value” to choose values from any site.' : 'Choose a tile, or add a value above.'}
        </EmptyState>
      ) : failed ? (
        <ErrorState title="The values could not be loaded" onRetry={() => void failed.refetch()}>
          {messageOf(failed.error)}
        </ErrorState>
      ) : data.gone.length === points.length ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, not for a chart controlled by keyboard.
        <div
          className={classes.chart}
          role="group"
          aria-label="Chart. The arrow keys move the cursor. With Shift, they move the time range. Plus and minus zoom. End returns to now."
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the element handles key presses.
          tabIndex={0}
          onKeyDown={press}
          style={{ minHeight: reserved }}
          aria-busy={data.values.isPlaceholderData || data.values.isPending}
        >
          <Suspense fallback={<Waiting height={reserved} />}>
            {lines.length === 0 ? (
              <Waiting height={reserved} />
            ) : (
              <TrendChart
                panels={panels}
                height={height}
                axisWidth={axisWidth}
                series={series}
                compared={data.compared}
                bands={data.bands}
                window={window}
                cursor={cursor}
                wheelZooms={full.on}
                onWindow={go}
                onReset={reset}
                onCursor={setCursor}
                onWidth={setWidth}
                canvases={canvases}
              />
            )}
          </Suspense>
          {nothing ? <p className={classes.nothing}>No readings in this period.</p> : null}
        </div>
      )}
      {points.length === 0 ? null : (
        <AlarmStrip bands={data.bands} lines={lines} window={window} named={width >= 620} />
      )}
      <p className={classes.words} hidden={points.length === 0}>
        <span>{resolutionWords(series)}</span>
        {view.follow ? (
          <span>Live</span>
        ) : (
          <span>
            Paused
            <button type="button" onClick={follow}>
              Back to now
            </button>
          </span>
        )}
      </p>
    </section>
  );
}

function NoChart() {
  return (
    <EmptyState title="The chart cannot be shown">
      You can still download the values. Reload the page to try again.
    </EmptyState>
  );
}

function Waiting({ height }: { height: number }) {
  return (
    <div className={classes.waiting} role="status" aria-label="Loading">
      <Skeleton width="100%" height={height - 2 * WAITING_PADDING} />
    </div>
  );
}

let ruler: CanvasRenderingContext2D | null = null;

/** Returns the width of a text in the axis font. */
function axisTextWidth(text: string): number {
  ruler ??= createRuler();
  return ruler?.measureText(text).width ?? 0;
}

function createRuler(): CanvasRenderingContext2D | null {
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = axisFont({ font: getComputedStyle(document.body).fontFamily });
  return context;
}
