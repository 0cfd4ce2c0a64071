import {
  TbBell,
  TbBox,
  TbBuildingFactory2,
  TbChartDots,
  TbCpu,
  TbRulerMeasure,
  TbStack2,
  TbUsers,
} from 'react-icons/tb';
import { type Actor, can } from '../../../domain/permission.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { acknowledgementOf, quietState, severityOf } from '../../kit/format/alarm.ts';
import { withoutSite } from '../../kit/format/alarm-name.ts';
import { siteMark } from '../../kit/format/state-mark.ts';
import { everyWord, rowsOf } from '../../kit/list/list.ts';
import { actorOf } from '../../kit/session/actor.ts';
import { session } from '../../kit/session/session.ts';
import { matches } from './match.ts';
import type { PaletteEntry, PaletteSource } from './palette-entry.ts';

const findSites = graphql(`
  query FindSites($filter: SiteFilter!) {
    sites(first: 6, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        siteId
        siteStatus
        alarms(first: 20, filter: { resolvedDate: { isNull: true } }) {
          nodes {
            severity
            reason
            quietBecause
          }
        }
      }
    }
  }
`);

const findAssets = graphql(`
  query FindAssets($filter: AssetFilter!) {
    assets(first: 6, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        site {
          uuid
          name
        }
      }
    }
  }
`);

const findSensors = graphql(`
  query FindSensors($filter: SensorFilter!) {
    sensors(first: 6, filter: $filter, orderBy: [UID_ASC]) {
      nodes {
        uuid
        uid
        description
      }
    }
  }
`);

/**
 * Finds sites and opens their pages. A partner account is not allowed to see the plant, so its results open the list of
 * sites in the admin area.
 */
export const siteSource: PaletteSource = {
  noun: 'site',
  find: async (text, signal) => {
    const isPlantPerson = may('alarm.read');
    const filter = { and: everyWord(text, (word) => [{ name: word }, { siteId: word }]) };
    return rowsOf((await ask(findSites, { filter }, signal)).sites).map((site) => {
      const mark = siteMark(site.siteStatus, rowsOf(site.alarms));
      return {
        id: `site-${site.uuid}`,
        label: site.name,
        note: `Site, ${site.siteId}`,
        href: isPlantPerson ? `/dashboard/site/${site.uuid}` : searched('/admin/sites', site.name),
        icon: TbBuildingFactory2,
        ...(mark.state === 'normal' || mark.word ? {} : { state: mark }),
      };
    });
  },
};

/** Finds assets, then sensors. For users without access to the admin area, an asset entry opens the asset's site. */
export const assetSource: PaletteSource = {
  noun: 'asset',
  find: async (text, signal) => {
    const [assets, sensors] = await Promise.all([
      may('asset.read') ? assetEntries(text, signal) : [],
      may('admin.enter') ? sensorEntries(text, signal) : [],
    ]);
    return [...assets, ...sensors];
  },
};

async function assetEntries(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const filter = { and: everyWord(text, (word) => [{ name: word }, { site: { name: word } }]) };
  return rowsOf((await ask(findAssets, { filter }, signal)).assets).map((asset) => ({
    id: `asset-${asset.uuid}`,
    label: asset.name,
    note: asset.site ? `Asset, ${asset.site.name}` : 'Asset',
    href:
      asset.site && !may('admin.enter')
        ? `/dashboard/site/${asset.site.uuid}`
        : // The name alone would find the same pump at every site.
          searched('/admin/assets', [asset.name, asset.site?.name].filter(Boolean).join(' ')),
    icon: TbBox,
  }));
}

async function sensorEntries(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const filter = { and: everyWord(text, (word) => [{ uid: word }]) };
  return rowsOf((await ask(findSensors, { filter }, signal)).sensors).map((sensor) => ({
    id: `sensor-${sensor.uuid}`,
    label: sensor.uid,
    note: sensor.description ? `Sensor, ${sensor.description}` : 'Sensor',
    href: searched('/admin/sensors', sensor.uid),
    icon: TbCpu,
  }));
}

const findAlarms = graphql(`
  query FindAlarms($search: String!) {
    alarmList(isOpen: true, search: $search, first: 6) {
      nodes {
        uuid
        message
        siteName
        severity
        acknowledgeJson
        quietBecause
      }
    }
  }
`);

/** Finds open alarms with the same search as the alarm list. */
export const alarmSource: PaletteSource = {
  noun: 'alarm',
  find: async (text, signal) => {
    if (!may('alarm.read')) {
      return [];
    }
    return rowsOf((await ask(findAlarms, { search: text }, signal)).alarmList).map((alarm) => ({
      id: `alarm-${alarm.uuid}`,
      label: withoutSite(alarm.message, alarm.siteName),
      note: `Alarm, ${alarm.siteName}`,
      href: `/dashboard/alarms?${new URLSearchParams({ alarm: alarm.uuid })}`,
      icon: TbBell,
      state: {
        state: quietState(alarm) ?? severityOf(alarm.severity),
        acknowledged: quietState(alarm) === null && acknowledgementOf(alarm.acknowledgeJson) !== null,
      },
    }));
  },
};

/** Returns the URL of the list of past alarms that match the search; null if the user is not allowed to read alarms. */
export function pastAlarmsOf(text: string): string | null {
  return may('alarm.read') ? `/dashboard/alarms?${new URLSearchParams({ show: 'past', q: text })}` : null;
}

const findDatapoints = graphql(`
  query FindDatapoints($filter: AssetDatapointFilter!) {
    assetDatapoints(first: 6, filter: $filter, orderBy: [TOCSIN_DATAPOINT_NAME_ASC]) {
      nodes {
        uuid
        tocsinDatapointName
        asset {
          name
          site {
            name
          }
        }
      }
    }
  }
`);

const findRules = graphql(`
  query FindRules($filter: RuleFilter!) {
    rules(first: 6, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        site {
          name
        }
      }
    }
  }
`);

const findUsers = graphql(`
  query FindUsers($filter: UserFilter!) {
    users(first: 6, filter: $filter, orderBy: [DISPLAY_NAME_ASC]) {
      nodes {
        uuid
        displayName
        email
      }
    }
  }
`);

const findGroups = graphql(`
  query FindGroups {
    groups(first: 500, filter: { level: { greaterThan: 1 } }) {
      nodes {
        uuid
        name
        level
      }
    }
  }
`);

const MOST = 6;

/** Finds records that managers configure: data points, rules, users and groups. */
export const configuredSource: PaletteSource = {
  find: async (text, signal) => {
    if (!may('admin.enter')) {
      return [];
    }
    const found = await Promise.all([
      may('asset_datapoint.read') ? datapointEntries(text, signal) : [],
      may('rule.read') ? ruleEntries(text, signal) : [],
      may('user.create') ? userEntries(text, signal) : [],
      may('group.read') ? groupEntries(text, signal) : [],
    ]);
    return found.flat();
  },
};

async function datapointEntries(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const filter = {
    and: everyWord(text, (word) => [
      { tocsinDatapointName: word },
      { asset: { name: word } },
      { asset: { site: { name: word } } },
    ]),
  };
  return rowsOf((await ask(findDatapoints, { filter }, signal)).assetDatapoints).map((row) => ({
    id: `datapoint-${row.uuid}`,
    label: row.tocsinDatapointName,
    note: `Data point, ${[row.asset?.name, row.asset?.site?.name].filter(Boolean).join(', ')}`,
    href: opened('/admin/datapoints', row.uuid),
    icon: TbChartDots,
  }));
}

async function ruleEntries(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const filter = { and: everyWord(text, (word) => [{ name: word }, { site: { name: word } }]) };
  return rowsOf((await ask(findRules, { filter }, signal)).rules).map((rule) => ({
    id: `rule-${rule.uuid}`,
    label: rule.name,
    note: rule.site ? `Rule, ${rule.site.name}` : 'Rule',
    href: opened('/admin/rules', rule.uuid),
    icon: TbRulerMeasure,
  }));
}

async function userEntries(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const filter = { and: everyWord(text, (word) => [{ displayName: word }]) };
  return rowsOf((await ask(findUsers, { filter }, signal)).users).map((user) => ({
    id: `user-${user.uuid}`,
    label: user.displayName,
    note: `User, ${user.email}`,
    href: opened('/admin/users', user.uuid),
    icon: TbUsers,
  }));
}

/** Fetches all groups and filters them here: the server cannot search groups by name, and a customer has few. */
async function groupEntries(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  return rowsOf((await ask(findGroups, {}, signal)).groups)
    .filter((group) => matches(group.name, text))
    .slice(0, MOST)
    .map((group) => ({
      id: `group-${group.uuid}`,
      label: group.name,
      note: `Group, level ${group.level}`,
      href: `${opened('/admin/groups', group.uuid)}&level=${group.level}`,
      icon: TbStack2,
    }));
}

function may(permission: Parameters<typeof can>[1]): boolean {
  const current = session.get();
  const actor: Actor | null = current.status === 'in' ? actorOf(current.user) : null;
  return actor !== null && can(actor, permission);
}

/** Returns the URL of a list, filtered by a search text. */
function searched(path: string, text: string): string {
  return `${path}?${new URLSearchParams({ q: text })}`;
}

/** Returns the URL of a list with one record open. */
function opened(path: string, uuid: string): string {
  return `${path}?${new URLSearchParams({ record: uuid })}`;
}
