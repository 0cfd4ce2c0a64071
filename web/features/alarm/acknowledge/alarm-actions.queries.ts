import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';
import { acknowledgementOf, type Resolution, resolutionOf } from '../../../kit/format/alarm.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { alarmConditionPoints, alarmHead, alarmHolders, alarmReading } from '../alarm.queries.ts';
import { pointOf } from '../alarm-datapoint.ts';
import { type Clearing, clearingSince } from '../clearing.ts';
import { conditionsHold } from '../conditions.ts';
import { heldOpenWords, isHeldOpen } from '../holding-rules.ts';
import { readJudgedBy } from '../judged-by.ts';
import { isInside, type OutsideWords, outsideWords } from '../value-outside.ts';

/** How often a dialog asks again: a value may come back inside while somebody writes a note. */
export const REFRESH = 5_000;

const alarmsToAcknowledge = graphql(
  `
  query AlarmsToAcknowledge($uuids: [UUID!]!, $first: Int!) {
    alarms(filter: { uuid: { in: $uuids } }, first: $first) {
      nodes {
        ...AlarmHead
        ...AlarmReading
        nextEscalationAt
        allowedReasons(first: 50) {
          nodes
        }
      }
    }
  }
`,
  [alarmHead, alarmReading],
);

export type AlarmToAcknowledge = Omit<
  NonNullable<NonNullable<ResultOf<typeof alarmsToAcknowledge>['alarms']>['nodes'][number]>,
  'allowedReasons'
> & { reasons: string[] };

/** The alarms with the reasons this person may give, in the order asked for. What is not theirs to see is left out. */
export async function fetchAlarmsToAcknowledge(
  uuids: readonly string[],
  signal?: AbortSignal,
): Promise<AlarmToAcknowledge[]> {
  const { alarms } = await ask(alarmsToAcknowledge, { uuids: [...uuids], first: uuids.length }, signal);
  const found = (alarms?.nodes ?? []).filter((alarm) => alarm !== null);
  return uuids.flatMap((uuid) => {
    const alarm = found.find((one) => one.uuid === uuid);
    if (!alarm) return [];
    const { allowedReasons, ...rest } = alarm;
    return { ...rest, reasons: allowedReasons.nodes.filter((reason) => reason !== null) };
  });
}

const alarmsToResolve = graphql(
  `
  query AlarmsToResolve($uuids: [UUID!]!, $first: Int!, $events: Int!) {
    alarms(filter: { uuid: { in: $uuids } }, first: $first) {
      nodes {
        uuid
        acknowledgeJson
        resolvedDate
        resolvedBy
        resolvedName
        resolvedHow
        resolveNote
        judgedBy
        dateTime
        value
        datapointName
        ...AlarmConditionPoints
        ...AlarmHolders
        datapoint {
          tocsinDatapointName
          latestValue
          lastUpdated
          uom
          sensorType
          datapointTitleText
        }
        alarmEvents(first: $events, orderBy: [AT_DESC, ID_DESC]) {
          nodes {
            at
            kind
            detail
          }
        }
      }
    }
  }
`,
  [alarmConditionPoints, alarmHolders],
);

/** So many of the last events of an alarm surely hold what its value did last. */
const LAST_EVENTS = 30;

/** How an alarm stands while somebody is about to resolve it. */
export interface ToResolve {
  acknowledged: boolean;
  /** Null where nothing is known to last. */
  still: OutsideWords | null;
  /** The value is inside its limits. */
  isInside: boolean;
  /** Since when, of a single alarm; null where the alarm does not end by that. */
  back: Clearing | null;
  /** Null while it is open. */
  resolution: Resolution | null;
}

/** How each of these alarms stands, by their uuids. */
export async function fetchAlarmsToResolve(
  uuids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ToResolve>> {
  const events = uuids.length === 1 ? LAST_EVENTS : 1;
  const { alarms } = await ask(alarmsToResolve, { uuids: [...uuids], first: uuids.length, events }, signal);
  const found = new Map<string, ToResolve>();
  for (const alarm of alarms?.nodes ?? []) {
    if (alarm === null) continue;
    const judged = readJudgedBy(alarm.judgedBy);
    const resolution = resolutionOf(alarm);
    const name = alarm.datapoint?.tocsinDatapointName ?? alarm.datapointName;
    const point = pointOf(alarm);
    const back = events === 1 ? undefined : clearingSince(rowsOf(alarm.alarmEvents).toReversed());
    // Of one alarm its events say it; of many they are not asked for, and the values of now do.
    const isClearing = back !== undefined ? back !== null : conditionsHold(alarm) ? false : undefined;
    found.set(alarm.uuid, {
      acknowledged: acknowledgementOf(alarm.acknowledgeJson) !== null,
      still:
        resolution !== null
          ? null
          : ((judged && outsideWords(judged, name, point, isClearing)) ?? heldOpenWords(alarm)),
      isInside: isInside(judged, point) && !isHeldOpen(alarm),
      back: isHeldOpen(alarm) ? null : (back ?? null),
      resolution,
    });
  }
  return found;
}

const acknowledgeAlarm = graphql(`
  mutation AcknowledgeAlarm($input: AcknowledgeAlarmInput!) {
    acknowledgeAlarm(input: $input) {
      result {
        uuid
        acknowledgeJson
      }
    }
  }
`);

export interface AcknowledgementInput {
  reason: string;
  text: string;
}

/** Acknowledges one alarm; with the link of a message it is recorded as given through that message. Answers the record of it. */
export async function sendAcknowledgement(
  uuid: string,
  { reason, text }: AcknowledgementInput,
  link?: string,
): Promise<unknown> {
  const { acknowledgeAlarm: payload } = await ask(acknowledgeAlarm, {
    input: { uuid, reason, acknowledgeText: text || null, link: link ?? null },
  });
  return payload?.result?.acknowledgeJson ?? null;
}

/** What became of one of many alarms. The sentence is empty where all went well. */
export interface AlarmResult {
  uuid: string;
  ok: boolean;
  sentence: string;
}

type ResultRow = { tocsinAlarmUuid: string | null; ok: boolean | null; sentence: string | null } | null;

function resultsOf(rows: readonly ResultRow[] | null | undefined): AlarmResult[] {
  return (rows ?? []).flatMap((row) =>
    row?.tocsinAlarmUuid ? { uuid: row.tocsinAlarmUuid, ok: row.ok === true, sentence: row.sentence ?? '' } : [],
  );
}

const acknowledgeAlarms = graphql(`
  mutation AcknowledgeAlarms($input: AcknowledgeAlarmsInput!) {
    acknowledgeAlarms(input: $input) {
      result {
        tocsinAlarmUuid
        ok
        sentence
      }
    }
  }
`);

export async function sendAcknowledgements(
  uuids: readonly string[],
  { reason, text }: AcknowledgementInput,
): Promise<AlarmResult[]> {
  const { acknowledgeAlarms: payload } = await ask(acknowledgeAlarms, {
    input: { uuids: [...uuids], reason, acknowledgeText: text || null },
  });
  return resultsOf(payload?.result);
}

const undoAcknowledgements = graphql(`
  mutation UndoAcknowledgements($input: UndoAcknowledgementsInput!) {
    undoAcknowledgements(input: $input) {
      result {
        tocsinAlarmUuid
        ok
        sentence
      }
    }
  }
`);

/** Undoes the person's own acknowledgements, each with its own result. */
export async function sendUndo(uuids: readonly string[]): Promise<AlarmResult[]> {
  const { undoAcknowledgements: payload } = await ask(undoAcknowledgements, { input: { uuids: [...uuids] } });
  return resultsOf(payload?.result);
}

const addAlarmNote = graphql(`
  mutation AddAlarmNote($input: AddAlarmNoteInput!) {
    addAlarmNote(input: $input) {
      result {
        uuid
      }
    }
  }
`);

/** Adds a note to the timeline of an alarm. */
export async function sendNote(uuid: string, note: string): Promise<void> {
  await ask(addAlarmNote, { input: { uuid, note } });
}

const resolveAlarms = graphql(`
  mutation ResolveAlarms($input: ResolveAlarmsInput!) {
    resolveAlarms(input: $input) {
      result {
        tocsinAlarmUuid
        ok
        sentence
      }
    }
  }
`);

/** Resolves alarms by hand, one or many, each with its own result. */
export async function sendResolutions(uuids: readonly string[], note: string): Promise<AlarmResult[]> {
  const { resolveAlarms: payload } = await ask(resolveAlarms, { input: { uuids: [...uuids], note: note || null } });
  return resultsOf(payload?.result);
}
