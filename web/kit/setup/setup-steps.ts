import type { Permission } from '../../../domain/permission.ts';

/** The setup step that follows a new record. */
export interface SetupStep {
  /** Name of the new record. */
  after: string;
  /** Label of the button: a verb and a noun. */
  label: string;
  /** Permission required for the step. */
  needs: Permission;
  to: '/admin/assets' | '/admin/sensors' | '/admin/datapoints' | '/admin/rules';
  /** Initial values of the next form. */
  search: Readonly<Record<string, string>>;
}

const NEW = 'new';

export function afterSite(site: { uuid: string; name: string }): SetupStep {
  return {
    after: site.name,
    label: 'Add asset',
    needs: 'asset.create',
    to: '/admin/assets',
    search: { record: NEW, site: site.uuid },
  };
}

/** Returns the setup step that follows a new asset. `sensor` is the asset's sensor with the number of its channels. */
export function afterAsset(
  asset: { uuid: string; name: string },
  sensor: { uuid: string; channels: number } | null,
): SetupStep {
  const after = asset.name;
  if (!sensor) {
    const search = { record: NEW, asset: asset.uuid };
    return { after, label: 'Add sensor', needs: 'sensor.create', to: '/admin/sensors', search };
  }
  if (sensor.channels === 0) return addChannel(after, sensor.uuid, { asset: asset.uuid });
  return addDatapoint(after, { asset: asset.uuid });
}

/** The place of a new sensor: an asset, or a site that has no asset yet. */
export interface SensorPlace {
  asset?: string | undefined;
  site?: string | undefined;
}

export function afterSensor(sensor: { uuid: string; uid: string }, place: SensorPlace): SetupStep {
  return addChannel(sensor.uid, sensor.uuid, place);
}

export function afterChannel(
  channel: { uuid: string; name: string },
  sensor: string,
  { asset, site }: SensorPlace,
): SetupStep {
  if (!asset && site) {
    const search = { record: NEW, site, sensor };
    return { after: channel.name, label: 'Add asset', needs: 'asset.create', to: '/admin/assets', search };
  }
  return addDatapoint(channel.name, { ...(asset && { asset }), sensor, input: channel.uuid });
}

export function afterDatapoint(datapoint: { uuid: string; name: string }): SetupStep {
  return {
    after: datapoint.name,
    label: 'Add rule',
    needs: 'rule.create',
    to: '/admin/rules',
    search: { record: NEW, datapoint: datapoint.uuid },
  };
}

export function afterRule(rule: { name: string; siteUuid: string }): SetupStep {
  return {
    after: rule.name,
    label: 'Add recipients',
    needs: 'rule_alert.create',
    to: '/admin/rules',
    search: { tab: 'alerts', record: NEW, site: rule.siteUuid, rule: rule.name },
  };
}

/**
 * Returns the setup step that follows a new rule alert. `sensor` is the sensor of the rule's data point. If the rule
 * uses several data points, `sensor` is null and there is no step.
 */
export function afterRuleAlert(ruleName: string, sensor: string | null): SetupStep | null {
  if (sensor === null) return null;
  return {
    after: ruleName,
    label: 'Send test value',
    needs: 'sensor.update',
    to: '/admin/sensors',
    search: { record: sensor, tab: 'device', rule: ruleName },
  };
}

function addChannel(after: string, sensor: string, { asset, site }: SensorPlace): SetupStep {
  return {
    after,
    label: 'Add channel',
    needs: 'sensor_channel.create',
    to: '/admin/sensors',
    search: { record: sensor, channel: NEW, ...(asset && { asset }), ...(site && { site }) },
  };
}

function addDatapoint(after: string, begins: Record<string, string>): SetupStep {
  return {
    after,
    label: 'Add data point',
    needs: 'asset_datapoint.create',
    to: '/admin/datapoints',
    search: { record: NEW, ...begins },
  };
}
