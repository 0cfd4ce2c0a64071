import { useElementSize } from '@mantine/hooks';
import { useEffect, useId, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { GestureState } from './gesture-state.ts';
import { heightsOf, type Panel, TIME_AXIS } from './lines.ts';
import { PanelChart, type PanelChartProps } from './PanelChart.tsx';

type Shared = Omit<PanelChartProps, 'panel' | 'width' | 'height' | 'last' | 'group' | 'gesture' | 'chartRef'>;

interface TrendChartProps extends Shared {
  panels: readonly Panel[];
  height: number;
  /** Called with the width of the plot in pixels, which determines the resolution of the query. */
  onWidth: (width: number) => void;
  /** `current` returns the canvases of the panels, from top to bottom. */
  canvases: { current: () => HTMLCanvasElement[] };
}

/** Shows the panels of a trend, one below the other. Loaded on demand, because this file imports the chart library. */
export default function TrendChart({ panels, height, onWidth, canvases, ...shared }: TrendChartProps) {
  const { ref, width } = useElementSize();
  const group = useId();
  const charts = useRef(new Map<string, uPlot>());
  const [gesture] = useState(
    () =>
      new GestureState(() => {
        for (const chart of charts.current.values()) chart.redraw();
      }),
  );
  useEffect(() => () => gesture.cancel(), [gesture]);
  const heights = heightsOf(panels, height - TIME_AXIS);
  canvases.current = () => panels.flatMap(({ key }) => charts.current.get(key)?.ctx.canvas ?? []);
  useEffect(() => onWidth(width), [width, onWidth]);
  return (
    <div ref={ref}>
      {width === 0
        ? null
        : panels.map((panel, index) => {
            const last = index === panels.length - 1;
            return (
              <PanelChart
                key={panel.key}
                {...shared}
                panel={panel}
                width={width}
                height={(heights[index] as number) + (last ? TIME_AXIS : 0)}
                last={last}
                group={group}
                gesture={gesture}
                chartRef={(chart) => {
                  if (chart) charts.current.set(panel.key, chart);
                  else charts.current.delete(panel.key);
                }}
              />
            );
          })}
    </div>
  );
}
