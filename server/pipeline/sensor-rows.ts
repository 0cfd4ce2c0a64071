import { channelKeys } from '../../domain/frame/channel-keys.ts';
import type { FrameFormat } from '../../domain/frame/frame.ts';
import type { Watches } from '../rule/load-watches.ts';
import { shardOf } from '../rule/watch.ts';
import type { Channel, Latest, Sensor, Site } from './sensor.ts';

export interface SensorRow {
  uuid: string;
  customer_uuid: string;
  uid: string;
  status: number;
  customer_active: boolean;
  time_zone: string;
  frame_format: FrameFormat;
  gateway_uuid: string | null;
  tokens: { hash: string; revokedAt: string | null }[];
  channels: ChannelRow[];
  commands: { id: number; text: string; sentOn: string | null; expiresOn: string }[];
}

interface ChannelRow {
  key: number;
  number: number;
  name: string;
  factor: number;
  offset: number;
  decimals: number | null;
  lowText: string;
  highText: string;
  normalColor: string;
  alarmColor: string;
  alarmCondition: number;
  datapoints: { datapointUuid: string; siteUuid: string; sensorType: number; healthHours: number }[];
}

export const SELECT_SENSORS = `
  select s.uuid, s.tocsin_customer_uuid as customer_uuid, s.uid, s.status, s.frame_format, s.tocsin_gateway_uuid as gateway_uuid,
    (select c.status = 1 from tocsin.customer c where c.uuid = s.tocsin_customer_uuid) as customer_active,
    (select c.time_zone from tocsin.customer c where c.uuid = s.tocsin_customer_uuid) as time_zone,
    coalesce((select json_agg(json_build_object('hash', encode(t.token_hash, 'base64'), 'revokedAt', t.revoked_at))
      from tocsin_private.device_token t where t.tocsin_sensor_uuid = s.uuid), '[]') as tokens,
    coalesce((select json_agg(json_build_object('key', c.key, 'number', c.channel_number, 'name', c.name, 'factor', c.channel_factor,
        'offset', c.channel_offset, 'decimals', c.channel_decimals, 'lowText', c.channel_low_text, 'highText', c.channel_high_text,
        'normalColor', c.channel_normal_color, 'alarmColor', c.channel_alarm_color, 'alarmCondition', c.channel_alarm_condition,
        'datapoints', coalesce((select json_agg(json_build_object('datapointUuid', d.uuid, 'siteUuid', a.tocsin_site_uuid,
            'sensorType', d.sensor_type, 'healthHours', site.tocsin_health_duration_hours))
          from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid
          join tocsin.site site on site.uuid = a.tocsin_site_uuid
          where d.tocsin_sensor_channel_uuid = c.uuid), '[]')) order by c.channel_number)
      from tocsin.sensor_channel c where c.tocsin_sensor_uuid = s.uuid), '[]') as channels,
    coalesce((select json_agg(json_build_object('id', m.id, 'text', m.reply_command, 'sentOn', m.sent_on, 'expiresOn', m.expires_on)
        order by m.id)
      from tocsin.reply_message m where m.tocsin_customer_uuid = s.tocsin_customer_uuid and m.uid = s.uid
        and m.delivered_on is null and m.cancelled_on is null and m.expires_on > tocsin_private.clock()), '[]') as commands
  from tocsin.sensor s`;

/** Builds cache entries from rows. A new entry keeps the newest readings and the site of the entry that it replaces. */
export class SensorBuilder {
  /** Newest readings, keyed by sensor uuid and channel key. */
  readonly #latest = new Map<string, Map<number, Latest>>();
  readonly #sites = new Map<string, Site>();

  /** Forgets the newest readings of a sensor, so that its next cache entry starts without them. */
  forgetLatest(sensorUuid: string): void {
    this.#latest.delete(sensorUuid);
  }

  build(row: SensorRow, watches: Watches, loadedAt: Sensor['loadedAt']): Sensor {
    const sites = new Map<string, Site>();
    const channels = new Map<string, Channel>();
    for (const [key, channel] of channelKeys(row.channels, (called) => called)) {
      const number = String(channel.number);
      channels.set(
        key,
        key === number ? this.#channel(row, channel, sites, watches) : (channels.get(number) as Channel),
      );
    }
    return {
      uuid: row.uuid,
      customerUuid: row.customer_uuid,
      uid: row.uid,
      status: row.status,
      shard: shardOf(row.uuid),
      customerActive: row.customer_active,
      timeZone: row.time_zone,
      format: row.frame_format,
      gatewayUuid: row.gateway_uuid ?? undefined,
      tokens: new Map(
        row.tokens.map(({ hash: key, revokedAt }) => [
          // Removes the line breaks that PostgreSQL inserts into base64.
          key.replaceAll('\n', ''),
          { revokedAt: revokedAt === null ? undefined : new Date(revokedAt) },
        ]),
      ),
      channels,
      sites: [...sites.values()],
      commands: row.commands.map(({ id, text, sentOn, expiresOn }) => ({
        id,
        text,
        sentAt: sentOn === null ? undefined : Date.parse(sentOn),
        expiresAt: Date.parse(expiresOn),
      })),
      loadedAt,
    };
  }

  #channel(row: SensorRow, channel: ChannelRow, sites: Map<string, Site>, watches: Watches): Channel {
    const { key, factor, offset, decimals, alarmCondition, normalColor, alarmColor } = channel;
    const datapoints = channel.datapoints.map((datapoint) => {
      const site = this.#site(datapoint.siteUuid, row.customer_uuid, datapoint.healthHours);
      sites.set(datapoint.siteUuid, site);
      return {
        datapointUuid: datapoint.datapointUuid,
        siteUuid: datapoint.siteUuid,
        digital: datapoint.sensorType === 1,
        lowText: channel.lowText,
        highText: channel.highText,
        lowColor: alarmCondition === 0 ? alarmColor : normalColor,
        highColor: alarmCondition === 1 ? alarmColor : normalColor,
      };
    });
    return {
      key,
      sensorUuid: row.uuid,
      factor,
      offset,
      decimals: decimals ?? undefined,
      plain: factor === 1 && offset === 0 && decimals === null,
      datapoints,
      // The rules of a sensor in maintenance are not evaluated.
      watches:
        row.status === 1
          ? [...new Set(datapoints.flatMap(({ datapointUuid }) => watches.byDatapoint.get(datapointUuid) ?? []))]
          : [],
      latest: this.#latestOf(row.uuid, key),
    };
  }

  #latestOf(sensorUuid: string, key: number): Latest {
    let known = this.#latest.get(sensorUuid);
    if (!known) {
      known = new Map();
      this.#latest.set(sensorUuid, known);
    }
    let latest = known.get(key);
    if (!latest) {
      const never = Number.NEGATIVE_INFINITY;
      latest = { time: undefined, value: 0, shown: '', inBatch: never, given: never };
      known.set(key, latest);
    }
    return latest;
  }

  #site(uuid: string, customerUuid: string, healthHours: number): Site {
    let site = this.#sites.get(uuid);
    if (!site || site.healthHours !== healthHours) {
      site = { uuid, customerUuid, healthHours };
      this.#sites.set(uuid, site);
    }
    return site;
  }
}
