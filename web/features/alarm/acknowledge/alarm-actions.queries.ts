import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';
import { acknowledgementOf, type Resolution, resolutionOf } from '../../../kit/format/alarm.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { alarmConditionPoints, alarmHead, alarmHolders, alarmReading } from '../alarm.queries.ts';
import { newestDatapoint } from '../alarm-datapoint.ts';
import { type Clearing, clearingSince } from '../clearing.ts';
import { conditionsHold } from '../conditions.ts';
import { readCriteria } from '../criteria.ts';
import { heldOpenWords, isHeldOpen } from '../holding-rules.ts';
import { isInside, type OutsideWords, outsideWords } from '../value-outside.ts';

/**
 * Refetch interval of an open dialog, in milliseconds. It is short, because a value may return to normal while the user
 * writes a note.
 */
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

/**
 * Returns the alarms in the order of `uuids`, with their reasons. Omits alarms that this user is not allowed to see.
 */
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
        criteria
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

/** Number of newest events to fetch, enough to include the last change between normal and alarm. */
const LAST_EVENTS = 30;

/** State of an alarm in the resolve dialog. */
export interface ToResolve {
  acknowledged: boolean;
  /** Warning that the value is still outside its limits; null if the value is normal or unknown. */
  still: OutsideWords | null;
  /** True if the value is normal and no other rule keeps the alarm open. */
  isInside: boolean;
  /**
   * When the value returned to normal, and when the alarm resolves. Null in three cases: the value is not back to
   * normal, another rule keeps the alarm open, or the dialog is for several alarms.
   */
  back: Clearing | null;
  /** Who resolved the alarm and when; null while it is open. */
  resolution: Resolution | null;
}

/** Returns the state of each alarm, keyed by the alarm's uuid. */
export async function fetchAlarmsToResolve(
  uuids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ToResolve>> {
  const events = uuids.length === 1 ? LAST_EVENTS : 1;
  const { alarms } = await ask(alarmsToResolve, { uuids: [...uuids], first: uuids.length, events }, signal);
  const found = new Map<string, ToResolve>();
  for (const alarm of alarms?.nodes ?? []) {
    if (alarm === null) continue;
    const criteria = readCriteria(alarm.criteria);
    const resolution = resolutionOf(alarm);
    const name = alarm.datapoint?.tocsinDatapointName ?? alarm.datapointName;
    const point = newestDatapoint(alarm);
    const back = events === 1 ? undefined : clearingSince(rowsOf(alarm.alarmEvents).toReversed());
    // For a single alarm, the events show whether the value is back to normal. For several alarms, too few events are
    // fetched, so the current values decide.
    const isClearing = back !== undefined ? back !== null : conditionsHold(alarm) ? false : undefined;
    found.set(alarm.uuid, {
      acknowledged: acknowledgementOf(alarm.acknowledgeJson) !== null,
      still:
        resolution !== null
          ? null
          : ((criteria && outsideWords(criteria, name, point, isClearing)) ?? heldOpenWords(alarm)),
      isInside: isInside(criteria, point) && !isHeldOpen(alarm),
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

/** Acknowledges one alarm and returns the stored acknowledgement. `link` is the link code of the message, if any. */
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

/** Result for one of several alarms. `sentence` is the error text; empty on success. */
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

/** Undoes this user's own acknowledgements. Returns one result per alarm. */
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

/** Resolves one or more alarms manually. Returns one result per alarm. */
export async function sendResolutions(uuids: readonly string[], note: string): Promise<AlarmResult[]> {
  const { resolveAlarms: payload } = await ask(resolveAlarms, { input: { uuids: [...uuids], note: note || null } });
  return resultsOf(payload?.result);
}
