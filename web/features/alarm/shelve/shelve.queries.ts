import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { alarmHead, alarmReading } from '../alarm.queries.ts';

const alarmToShelve = graphql(
  `
  query AlarmToShelve($uuid: UUID!) {
    alarm(uuid: $uuid) {
      ...AlarmHead
      ...AlarmReading
      recipients
      nextEscalationAt
      allowedReasons(first: 50) {
        nodes
      }
    }
    shelvingChoices(alarmUuid: $uuid, first: 5) {
      nodes {
        scope
        targetUuid
        name
        rules
        openAlarms
        critical
      }
    }
    longestShelvingHours
  }
`,
  [alarmHead, alarmReading],
);

type Answer = ResultOf<typeof alarmToShelve>;
export type AlarmToShelve = NonNullable<Answer['alarm']>;

const scopes = ['alarm', 'rule', 'datapoint', 'asset', 'site'] as const;
export type Scope = (typeof scopes)[number];

/**
 * A target that the user can shelve, starting from an alarm: the alarm itself, or its rule, data point, asset or site.
 */
export interface ShelvingChoice {
  scope: Scope;
  targetUuid: string;
  name: string;
  /** Number of enabled rules in the scope; 0 if the scope is an alarm or a rule. */
  rules: number;
  openAlarms: number;
  /** True if the shelving can affect critical alarms, which the user must confirm. */
  critical: boolean;
}

export interface ShelvingQuestion {
  /** Null if the alarm does not exist or the user is not allowed to see it. */
  alarm: AlarmToShelve | null;
  reasons: string[];
  /** Targets to choose from; empty if the alarm is resolved. */
  choices: ShelvingChoice[];
  longestHours: number;
}

/** Fetches the data that the shelve dialog shows. */
export async function fetchShelvingQuestion(uuid: string, signal?: AbortSignal): Promise<ShelvingQuestion> {
  const { alarm, shelvingChoices, longestShelvingHours } = await ask(alarmToShelve, { uuid }, signal);
  return {
    alarm,
    reasons: (alarm?.allowedReasons.nodes ?? []).filter((reason) => reason !== null),
    choices: rowsOf(shelvingChoices).flatMap(({ scope, targetUuid, name, rules, openAlarms, critical }) => {
      const known = scopes.find((one) => one === scope);
      if (known === undefined || targetUuid === null) return [];
      return {
        ...{ scope: known, targetUuid, name: name ?? '', critical: critical === true },
        ...{ rules: rules ?? 0, openAlarms: openAlarms ?? 0 },
      };
    }),
    longestHours: longestShelvingHours ?? 0,
  };
}

const shelve = graphql(`
  mutation Shelve($input: ShelveInput!) {
    shelve(input: $input) {
      result {
        uuid
      }
    }
  }
`);

/** The server adds minutes to its own clock, because the clock of this computer may be wrong. */
export type ShelvingEnd = { until: string } | { minutes: number };

export interface NewShelving {
  scope: Scope;
  targetUuid: string;
  end: ShelvingEnd;
  reason: string;
  confirmCritical: boolean;
}

export async function sendShelving({ end, ...input }: NewShelving): Promise<void> {
  await ask(shelve, { input: { ...input, ...end } });
}

const extendShelving = graphql(`
  mutation ExtendShelving($input: ExtendShelvingInput!) {
    extendShelving(input: $input) {
      result {
        uuid
      }
    }
  }
`);

export async function sendExtension(uuid: string, end: ShelvingEnd): Promise<void> {
  await ask(extendShelving, { input: { uuid, ...end } });
}

const endShelving = graphql(`
  mutation EndShelving($input: EndShelvingInput!) {
    endShelving(input: $input) {
      result {
        uuid
      }
    }
  }
`);

export async function sendEnd(uuid: string): Promise<void> {
  await ask(endShelving, { input: { uuid } });
}

const longest = graphql(`
  query LongestShelving {
    longestShelvingHours
  }
`);

export async function fetchLongestHours(signal?: AbortSignal): Promise<number> {
  return (await ask(longest, {}, signal)).longestShelvingHours ?? 0;
}
