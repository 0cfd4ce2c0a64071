import { limits } from './limits.ts';

/** Arguments of a field as numbers and lengths of lists, by name. */
export type Given = (name: string) => unknown;

/** explainAlarm and explainRule read at most this many records of each kind. */
const RECORDS = 500;

function lengthOf(given: unknown, most: number): number {
  return Array.isArray(given) ? Math.min(given.length, most) : most;
}

function count(given: unknown, otherwise: number): number {
  return typeof given === 'number' && given >= 0 ? Math.min(given, otherwise) : otherwise;
}

/**
 * The largest number of items of each list that is no connection, by type and field. A test checks that the schema has no
 * other such list.
 */
export const listSizes: Readonly<Record<string, number | ((given: Given) => number)>> = {
  'AcknowledgeAlarmsPayload.result': RECORDS,
  'ResolveAlarmsPayload.result': RECORDS,
  'UndoAcknowledgementsPayload.result': RECORDS,
  // One for each method.
  'Alarm.untoldMethods': 4,
  // The alarm report covers a year at most; the reasons are those that people chose or wrote.
  'AlarmBreakdown.days': 370,
  'AlarmBreakdown.reasons': RECORDS,
  'AlarmBreakdown.rules': 50,
  'AlarmBreakdown.sites': 5000,
  'AlarmExplanation.messages': RECORDS,
  'AlarmExplanation.notes': 20,
  'AlarmExplanation.recipients': RECORDS,
  'AlarmExplanation.samples': 100,
  'AlarmExplanation.stages': 10,
  'AlarmExplanation.timeline': 2 * RECORDS,
  'AlarmExplanation.transitions': RECORDS,
  'AlarmRecipient.notTold': 4,
  'AlarmRecipient.ways': 4,
  'AlarmStage.held': RECORDS,
  'AlarmsOpenedByHourRecord.opened': 24,
  'AssetDatapoint.recentValues': 48,
  // Up to twice as many readings as pixels come one by one.
  'DatapointSeries.lasts': 8000,
  'DatapointSeries.maxs': 8000,
  'DatapointSeries.means': 8000,
  'DatapointSeries.mins': 8000,
  'DatapointSeries.times': 8000,
  'HealthReportBySiteRecord.expected': 13,
  'HealthReportByUnitOfficeRecord.expected': 13,
  // A live page begins with everything that its person may see.
  'LivePlant.datapoints': 5000,
  'LivePlant.sites': 5000,
  'Query.series': (given) => lengthOf(given('datapointUuids'), 20),
  'Query.timeZones': 700,
  'RuleExplanation.alarms': RECORDS,
  'RuleExplanation.transitions': RECORDS,
  'RuleExplanation.versions': 100,
  'RuleSimulation.alarms': (given) => count(given('first') ?? 100, limits.page),
  'RuleSimulation.missed': 100,
  'RuleSimulation.notes': 20,
  'RuleVersionVerdict.wouldHaveOpened': 100,
};

/** Connections that never hold more rows than this, whatever page is asked for. */
export const connectionSizes: Readonly<Record<string, number>> = {
  // Row level security shows a person one customer and its partner.
  'Query.customers': 1,
  'Query.partners': 1,
  'Partner.customers': 1,
  'Query.alarmCount': 1,
  'Query.alarmsOpenedByHour': 29,
};
