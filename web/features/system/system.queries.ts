import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const systemStatus = graphql(`
  query SystemStatus {
    systemStatus {
      observedOn
      databaseVersion
      externalHeartbeatOn
      processes {
        uuid
        name
        state
        version
        roles
        problems
        startedOn
        heartbeatOn
        silentSeconds
        clockOffsetMs
        cpuPercent
        memoryBytes
        eventLoopDelayMs
        framesPerSecond
      }
      brokers {
        name
        processName
        isConnected
        isHolder
        problem
      }
      protocols {
        protocol
        connections
        framesPerSecond
        framesByMinute
        refused
      }
      queues {
        name
        waiting
        oldestSeconds
        overdueSeconds
        overdue
      }
      sizes {
        measuredOn
        bytes
        readingBytes
        freeBytes
      }
      backups {
        finishedOn
        ok
        bytes
        seconds
        note
      }
    }
    openSystemAlarms {
      nodes {
        uuid
        kind
        subject
        sentence
        openedOn
      }
    }
  }
`);

type Answer = ResultOf<typeof systemStatus>;
type Status = NonNullable<Answer['systemStatus']>;
type ItemOf<List> = NonNullable<NonNullable<List> extends readonly (infer Item)[] ? Item : never>;

export type SystemProcess = ItemOf<Status['processes']>;
export type SystemBroker = ItemOf<Status['brokers']>;
export type SystemProtocol = ItemOf<Status['protocols']>;
export type SystemQueue = ItemOf<Status['queues']>;
export type SystemSize = ItemOf<Status['sizes']>;
export type SystemBackup = ItemOf<Status['backups']>;
export type SystemAlarm = ItemOf<NonNullable<Answer['openSystemAlarms']>['nodes']>;

export interface SystemState {
  observedOn: string | null;
  databaseVersion: string;
  externalHeartbeatOn: string | null;
  alarms: SystemAlarm[];
  processes: SystemProcess[];
  brokers: SystemBroker[];
  protocols: SystemProtocol[];
  queues: SystemQueue[];
  sizes: SystemSize[];
  backups: SystemBackup[];
}

function itemsOf<Item>(list: readonly Item[] | null | undefined): NonNullable<Item>[] {
  return (list ?? []).filter((item): item is NonNullable<Item> => item !== null);
}

/** Loads the state of the installation every five seconds. Only owners have access. */
export const systemStateQuery = queryOptions({
  queryKey: ['system', 'state'],
  queryFn: async ({ signal }): Promise<SystemState> => {
    const { systemStatus: status, openSystemAlarms } = await ask(systemStatus, {}, signal);
    return {
      observedOn: status?.observedOn ?? null,
      databaseVersion: status?.databaseVersion ?? '',
      externalHeartbeatOn: status?.externalHeartbeatOn ?? null,
      alarms: rowsOf(openSystemAlarms),
      processes: itemsOf(status?.processes),
      brokers: itemsOf(status?.brokers),
      protocols: itemsOf(status?.protocols),
      queues: itemsOf(status?.queues),
      sizes: itemsOf(status?.sizes),
      backups: itemsOf(status?.backups),
    };
  },
  refetchInterval: 5000,
});
