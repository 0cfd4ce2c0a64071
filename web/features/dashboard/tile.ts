import { acknowledgementOf, severityOf } from '../alarm/alarm.ts';
import { withoutSite } from '../alarm/message-words.ts';
import type { BoardSite } from './dashboard.queries.ts';
import { readValue } from './value.ts';

/** What a tile says of a site. */
export interface Tile {
  uuid: string;
  name: string;
  state: 'critical' | 'major' | 'minor' | 'silent' | 'normal';
  /** True where somebody has acknowledged, and where there is no alarm to acknowledge. */
  acknowledged: boolean;
  /** Why it is in this state, or what its value is called. */
  words: string;
  value: { text: string; unit: string } | null;
  /** The value itself is in alarm, not only another one of the site. */
  valueInAlarm: boolean;
}

type SiteFacts = Pick<BoardSite, 'uuid' | 'name' | 'siteStatus' | 'worstAlarm' | 'leadDatapoint'>;

export function tileOf(site: SiteFacts): Tile {
  const { worstAlarm: alarm, leadDatapoint: point } = site;
  const silent = site.siteStatus === 0 || site.siteStatus === 3;
  const state = alarm ? severityOf(alarm.severity) : silent ? 'silent' : 'normal';
  return {
    uuid: site.uuid,
    name: site.name,
    state,
    acknowledged: alarm === null || acknowledgementOf(alarm.acknowledgeJson) !== null,
    words:
      state === 'silent'
        ? site.siteStatus === 0
          ? 'no data yet'
          : 'no data'
        : ((alarm && withoutSite(alarm.message, site.name)) ?? point?.tocsinDatapointName ?? 'no data points'),
    value: point && readValue(point),
    valueInAlarm: state !== 'silent' && alarm !== null && alarm.tocsinDatapointUuid === point?.uuid,
  };
}

/** A change of less than this share of the value does not fill the height: noise must not look like an event. */
const LEAST_SPAN = 0.04;

/** A line through the values inside a box of so much width and height; empty where there is nothing to draw. */
export function sparkline(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) {
    return '';
  }
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, LEAST_SPAN * Math.max(Math.abs(least), Math.abs(most)));
  const low = (least + most - span) / 2;
  return values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * width;
      // A value that never changed is a line through the middle.
      const y = span === 0 ? height / 2 : height - ((value - low) / span) * height;
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
