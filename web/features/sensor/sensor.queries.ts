import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { call } from '../../api/http.ts';
import { everyWord, orderOf, pageOf, type RowOf, rowsOf, wholeNumber, windowOf, wordsOf } from '../../kit/list/list.ts';
import type { OptionSource } from '../../kit/record/Picker.tsx';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { throughGateway } from './through-gateway.ts';

const sensorRow = graphql(`
  fragment SensorRowFields on Sensor {
    uuid
    uid
    sensorType
    status
    description
    frameFormat
    lastContact
    gateway {
      uid
    }
    sensorChannels(first: 0) {
      totalCount
    }
    assetDatapoints(first: 20) {
      nodes {
        asset {
          site {
            uuid
            name
          }
        }
      }
    }
  }
`);

const sensorList = graphql(
  `
  query SensorList($first: Int!, $offset: Int!, $filter: SensorFilter!, $orderBy: [SensorOrderBy!]!) {
    sensors(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        ...SensorRowFields
      }
    }
  }
`,
  [sensorRow],
);

const sensorSearch = graphql(
  `
  query SensorSearch($words: [String!]!, $first: Int!, $offset: Int!, $filter: SensorFilter!, $orderBy: [SensorOrderBy!]!) {
    sensorsLike(words: $words, first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        ...SensorRowFields
      }
    }
  }
`,
  [sensorRow],
);

export type SensorRow = RowOf<typeof sensorList, 'sensors'>;

export const sensorListDefaults: ListDefaults = {
  sort: { column: 'uid', descending: false },
  filters: ['type', 'status'],
};

const order = { uid: 'UID', sensorType: 'SENSOR_TYPE', status: 'STATUS' } as const;

export async function fetchSensors(view: ListView, signal?: AbortSignal) {
  const type = wholeNumber(view.filters.type);
  const status = wholeNumber(view.filters.status);
  const conditions = [
    ...(type === undefined ? [] : [{ sensorType: { equalTo: type } }]),
    ...(status === undefined ? [] : [{ status: { equalTo: status } }]),
  ];
  const words = wordsOf(view.search);
  const variables = {
    ...windowOf(view),
    filter: { and: conditions },
    orderBy: orderOf(view.sort, order, 'UID_ASC'),
  };
  return pageOf(
    words.length > 0
      ? (await ask(sensorSearch, { ...variables, words }, signal)).sensorsLike
      : (await ask(sensorList, variables, signal)).sensors,
  );
}

export function sensorListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['sensor', 'list', view],
    queryFn: ({ signal }) => fetchSensors(view, signal),
    // Polls, because the last contact changes without any user action.
    refetchInterval: 30_000,
  });
}

const oneSensor = graphql(`
  query OneSensor($uuid: UUID!) {
    sensor(uuid: $uuid) {
      uuid
      uid
      sensorType
      status
      description
      frameFormat
      tocsinGatewayUuid
      lastContact
      hasToken
      updatedAt
      gateway {
        uid
      }
      sensorChannels(first: 0) {
        totalCount
      }
    }
  }
`);

export async function fetchSensor(uuid: string, signal?: AbortSignal) {
  return (await ask(oneSensor, { uuid }, signal)).sensor;
}

export type Sensor = NonNullable<Awaited<ReturnType<typeof fetchSensor>>>;

export function sensorQuery(uuid: string) {
  return queryOptions({
    queryKey: ['sensor', 'one', uuid],
    queryFn: ({ signal }) => fetchSensor(uuid, signal),
    // Always refetches, because a form must start with the stored values, not with cached ones.
    staleTime: 0,
    gcTime: 0,
  });
}

const sensorOptions = graphql(`
  query SensorOptions($filter: SensorFilter!) {
    sensors(first: 20, filter: $filter, orderBy: [UID_ASC]) {
      nodes {
        uuid
        uid
      }
    }
  }
`);

async function findSensors(text: string, signal: AbortSignal) {
  const filter = { and: everyWord(text, (word) => [{ uid: word }]) };
  return rowsOf((await ask(sensorOptions, { filter }, signal)).sensors);
}

/** Searches sensors; the option value is the uuid. */
export const sensorSource: OptionSource = {
  key: ['sensor', 'by-key'],
  find: async (text, signal) => (await findSensors(text, signal)).map(({ uuid, uid }) => ({ value: uuid, label: uid })),
};

/** Searches sensors; the option value is the UID. */
export const uidSource: OptionSource = {
  key: ['sensor', 'by-uid'],
  find: async (text, signal) => (await findSensors(text, signal)).map(({ uid }) => ({ value: uid, label: uid })),
};

const register = graphql(`
  mutation RegisterSensor($input: RegisterSensorInput!) {
    registerSensor(input: $input) {
      credentials {
        tocsinSensorUuid
        uid
        token
      }
    }
  }
`);

const rotate = graphql(`
  mutation RotateDeviceToken($sensor: UUID!) {
    rotateDeviceToken(input: { tocsinSensorUuid: $sensor }) {
      credentials {
        tocsinSensorUuid
        uid
        token
      }
    }
  }
`);

/** Sign-in data of a device. The server returns the token only once, so the page must keep it. */
export interface Credentials {
  uuid: string;
  uid: string;
  token: string;
}

function credentialsOf(
  shown: { tocsinSensorUuid: string | null; uid: string | null; token: string | null } | null | undefined,
): Credentials {
  return { uuid: shown?.tocsinSensorUuid ?? '', uid: shown?.uid ?? '', token: shown?.token ?? '' };
}

export async function registerSensor(input: VariablesOf<typeof register>['input']): Promise<Credentials> {
  return credentialsOf((await ask(register, { input })).registerSensor?.credentials);
}

export async function rotateToken(sensor: string): Promise<Credentials> {
  return credentialsOf((await ask(rotate, { sensor })).rotateDeviceToken?.credentials);
}

const revoke = graphql(`
  mutation RevokeDeviceToken($sensor: UUID!) {
    revokeDeviceToken(input: { tocsinSensorUuid: $sensor }) {
      revoked
    }
  }
`);

/** Revokes the sensor's token. Returns false if there was no token. */
export async function revokeToken(sensor: string): Promise<boolean> {
  return (await ask(revoke, { sensor })).revokeDeviceToken?.revoked ?? false;
}

const update = graphql(`
  mutation UpdateSensor($uuid: UUID!, $patch: SensorPatch!) {
    updateSensor(input: { uuid: $uuid, patch: $patch }) {
      sensor {
        uuid
      }
    }
  }
`);

export function updateSensor(uuid: string, patch: VariablesOf<typeof update>['patch']) {
  return ask(update, { uuid, patch });
}

const remove = graphql(`
  mutation DeleteSensor($uuid: UUID!) {
    deleteSensor(input: { uuid: $uuid }) {
      sensor {
        uuid
      }
    }
  }
`);

export function deleteSensor(uuid: string) {
  return ask(remove, { uuid });
}

const newestFrame = graphql(`
  query NewestFrame($uid: String!, $sensor: UUID!) {
    alarms(
      first: 1
      filter: { resolvedDate: { isNull: true }, datapoint: { tocsinSensorUuid: { equalTo: $sensor } } }
      orderBy: [DATE_TIME_DESC]
    ) {
      nodes {
        uuid
        message
      }
    }
    incomingSensorLogs(first: 1, filter: { uid: { equalTo: $uid } }, orderBy: [DATE_TIME_DESC]) {
      nodes {
        autoId
        dateTime
        uid
        rawData
        protocol
        encoding
        problem
        note
      }
    }
    sensors(first: 1, filter: { uid: { equalTo: $uid }, gatewayExists: true }) {
      nodes {
        lastContact
        gateway {
          uid
        }
      }
    }
  }
`);

const LISTEN_MS = 2000;

/**
 * Polls for a device's newest frame, and for the newest open alarm of its data points; each is null if there is none.
 * If the gateway has forwarded newer values, `through` is the gateway, because forwarded frames are logged under the
 * gateway's uid.
 */
export function newestFrameQuery({ uuid: sensor, uid }: { uuid: string; uid: string }) {
  return queryOptions({
    queryKey: ['sensor', 'newest-frame', uid],
    queryFn: async ({ signal }) => {
      const { incomingSensorLogs, sensors, alarms } = await ask(newestFrame, { uid, sensor }, signal);
      const frame = rowsOf(incomingSensorLogs)[0] ?? null;
      return { frame, through: throughGateway(rowsOf(sensors)[0], frame), alarm: rowsOf(alarms)[0] ?? null };
    },
    refetchInterval: LISTEN_MS,
    gcTime: 0,
  });
}

/** Addresses to which devices send by MQTT and TCP. For HTTP, devices use the address of the console. */
export interface DeviceEndpoints {
  mqtt: { host: string | null; port: number; tls: boolean } | null;
  tcp: { port: number } | null;
}

export function endpointsQuery() {
  return queryOptions({
    queryKey: ['device-endpoints'],
    queryFn: ({ signal }) => call<DeviceEndpoints>('GET', '/api/v1/device-endpoints', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
