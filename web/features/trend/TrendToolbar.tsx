import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  TbAdjustmentsHorizontal,
  TbArrowsMaximize,
  TbArrowsMinimize,
  TbChevronLeft,
  TbChevronRight,
  TbDownload,
  TbExternalLink,
  TbMinus,
  TbPlus,
} from 'react-icons/tb';
import { type Span, spans } from '../../kit/chart/time-window.ts';
import { formatMoment } from '../../kit/format/date-time.ts';
import { download } from '../../kit/list/ExportButton.tsx';
import { LightTooltip } from '../../ui/LightTooltip.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { type PickerAsset, PointPicker } from './PointPicker.tsx';
import classes from './TrendToolbar.module.css';
import { type Comparison, comparisons, writeAddress } from './trend-address.ts';
import { trendCsv } from './trend-csv.ts';
import { savePicture } from './trend-picture.ts';
import type { FullScreen } from './useFullScreen.ts';
import type { TrendAddress } from './useTrendAddress.ts';
import type { useTrendData } from './useTrendData.ts';

interface TrendToolbarProps {
  address: TrendAddress;
  offered: readonly PickerAsset[];
  isOwnPage: boolean;
  full: FullScreen;
  onZoom: (factor: number) => void;
  onPan: (share: number) => void;
  data: ReturnType<typeof useTrendData>;
  canvases: { current: () => HTMLCanvasElement[] };
}

const spanOptions = (Object.keys(spans) as Span[]).map((value) => ({ value, label: spans[value].label }));

/** Toolbar of a trend: data points, zoom, time span, axes, comparison and export. */
export function TrendToolbar(props: TrendToolbarProps) {
  const { address, offered, isOwnPage, full, onZoom, onPan } = props;
  const { view, change } = address;
  return (
    <div className={classes.bar}>
      <PointPicker chosen={address.points} onToggle={address.toggle} offered={offered} />
      <span className={classes.moves}>
        <Tool label="Earlier" onClick={() => onPan(-0.5)}>
          <TbChevronLeft size={16} strokeWidth={1.75} />
        </Tool>
        <Tool label="Zoom out" onClick={() => onZoom(2)}>
          <TbMinus size={16} strokeWidth={1.75} />
        </Tool>
        <Tool label="Zoom in" onClick={() => onZoom(0.5)}>
          <TbPlus size={16} strokeWidth={1.75} />
        </Tool>
        <Tool label="Later" onClick={() => onPan(0.5)}>
          <TbChevronRight size={16} strokeWidth={1.75} />
        </Tool>
      </span>
      <span className={classes.end}>
        <span className={classes.span}>
          <Segmented
            label="How far back"
            options={spanOptions}
            value={view.follow ? view.span : ('' as Span)}
            onChange={(span) => change({ view: { follow: true, span } })}
          />
        </span>
        <span className={classes.group}>
          <Options address={address} />
          <Downloads {...props} />
          {isOwnPage ? null : (
            <LightTooltip label={() => 'Open as page'}>
              <ActionIcon
                component={Link}
                to="/dashboard/trend"
                search={writeAddress({ ...address, points: [...address.points] }) as never}
                variant="subtle"
                aria-label="Open as page"
              >
                <TbExternalLink size={16} strokeWidth={1.75} />
              </ActionIcon>
            </LightTooltip>
          )}
          <Tool label={full.on ? 'Exit full screen' : 'Full screen'} onClick={full.toggle}>
            {full.on ? (
              <TbArrowsMinimize size={16} strokeWidth={1.75} />
            ) : (
              <TbArrowsMaximize size={16} strokeWidth={1.75} />
            )}
          </Tool>
        </span>
      </span>
    </div>
  );
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <LightTooltip label={() => label}>
      <ActionIcon variant="subtle" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </LightTooltip>
  );
}

function Options({ address }: { address: TrendAddress }) {
  const { axes, compare, change } = address;
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant={compare ? 'default' : 'subtle'} aria-label="Axes and comparison">
          <TbAdjustmentsHorizontal size={16} strokeWidth={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Axes</Menu.Label>
        <Menu.RadioGroup value={axes} onChange={(next) => change({ axes: next === 'own' ? 'own' : 'shared' })}>
          <Menu.RadioItem value="shared">One axis per unit</Menu.RadioItem>
          <Menu.RadioItem value="own">One axis per value</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>Compare with</Menu.Label>
        <Menu.RadioGroup value={compare} onChange={(next) => change({ compare: next as Comparison })}>
          {(Object.keys(comparisons) as Comparison[]).map((value) => (
            <Menu.RadioItem key={value} value={value}>
              {comparisons[value].label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function Downloads({ address, data, canvases }: Pick<TrendToolbarProps, 'address' | 'data' | 'canvases'>) {
  const timeZone = useTimeZone();
  const moment = (time: number) => formatMoment(new Date(time), timeZone).replaceAll('\u00a0', ' ');
  const { window, lines, series } = data;
  const name = `trend-${new Date(window.to).toISOString().slice(0, 16).replaceAll(':', '')}`;
  const empty = lines.length === 0;
  const picture = async () => {
    try {
      const earlier = address.compare ? `, thin dashed lines: ${comparisons[address.compare].label.toLowerCase()}` : '';
      const title = `${moment(window.from)} – ${moment(window.to)} (${timeZone})${earlier}`;
      await savePicture(`${name}.png`, title, lines, canvases.current());
    } catch {
      toast.error('The picture could not be created. Try again, or download the values.');
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label="Download" disabled={empty}>
          <TbDownload size={16} strokeWidth={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void picture()}>Picture (PNG)</Menu.Item>
        <Menu.Item onClick={() => download(`${name}.csv`, trendCsv(lines, series, window, moment))}>
          Values (CSV)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
