import { mostSteps } from '../../../domain/alarm/plan.ts';
import { limits } from './limits.ts';

/** Maximum number of notifications and of gaps in a rehearsal. */
export const mostRehearsed = 2000;

/** Returns the value of an argument of the field, because the size of a list can depend on its arguments. */
export type Given = (name: string) => unknown;

/** Maximum number of records of each kind that explainAlarm and explainRule read. */
const RECORDS = 500;

function lengthOf(given: unknown, most: number): number {
  return Array.isArray(given) ? Math.min(given.length, most) : most;
}

function count(given: unknown, otherwise: number): number {
  return typeof given === 'number' && given >= 0 ? Math.min(given, otherwise) : otherwise;
}

/**
 * Maximum number of items in each list that is not a connection, by type and field. A test checks that every list of
 * the schema is included.
 */
export const listSizes: Readonly<Record<string, number | ((given: Given) => number)>> = {
  'AcknowledgeAlarmsPayload.result': RECORDS,
  'ResolveAlarmsPayload.result': RECORDS,
  'UndoAcknowledgementsPayload.result': RECORDS,
  // The list has one item for each notification method.
  'Alarm.notNotifiedMethods': 4,
  // The alarm report covers at most a year and lists only the reasons that users chose or entered.
  'AlarmBreakdown.days': 370,
  'AlarmBreakdown.reasons': RECORDS,
  'AlarmBreakdown.rules': 50,
  'AlarmBreakdown.sites': 5000,
  'AlarmEscalation.steps': mostSteps,
  'AlarmExplanation.messages': RECORDS,
  'AlarmExplanation.notes': 20,
  'AlarmExplanation.recipients': RECORDS,
  'AlarmExplanation.samples': 100,
  'AlarmExplanation.stages': 10,
  'AlarmExplanation.timeline': 2 * RECORDS,
  'AlarmExplanation.transitions': RECORDS,
  'AlarmPlanStep.recipients': 100,
  'AlarmRecipient.skipped': 4,
  'AlarmRecipient.methods': 4,
  'AlarmStage.held': RECORDS,
  'AlarmsOpenedByHourRecord.opened': 24,
  'AssetDatapoint.recentValues': 48,
  // A series contains the individual readings if there are at most two readings for each pixel of the chart.
  'DatapointSeries.lasts': 8000,
  'DatapointSeries.maxs': 8000,
  'DatapointSeries.means': 8000,
  'DatapointSeries.mins': 8000,
  'DatapointSeries.times': 8000,
  'HealthReportBySiteRecord.expected': 13,
  'HealthReportByUnitOfficeRecord.expected': 13,
  // The first event of the subscription `plant` contains all sites and data points that the user may see.
  'LivePlant.datapoints': 5000,
  'LivePlant.sites': 5000,
  'OnCallRota.layers': 10,
  'Performance.causes': RECORDS,
  'Performance.floods': 200,
  'Performance.load': 13_260,
  'Performance.recipients': 200,
  'Performance.rules': 10,
  'PlanRehearsal.gaps': mostRehearsed,
  'PlanRehearsal.notifications': mostRehearsed,
  'Query.myShifts': 1000,
  'Query.onCallRotas': 100,
  'Query.rotaGapPeriods': 1000,
  'Query.rotaHandovers': 1000,
  'Query.rotaShifts': 1000,
  'Query.series': (given) => lengthOf(given('datapointUuids'), 20),
  'Query.timeZones': 700,
  'AdviceAlarmCounts.reasons': 50,
  'RehearsedNotification.methodTypes': 4,
  'RehearsedNotification.problems': 10,
  'RuleAdvice.days': 402,
  'RuleAdvice.notes': 20,
  'RuleAdvice.trials': 6,
  'RuleExplanation.alarms': RECORDS,
  'RuleExplanation.transitions': RECORDS,
  'RuleExplanation.versions': 100,
  'RuleSimulation.alarms': (given) => count(given('first') ?? 100, limits.page),
  'RuleSimulation.missed': 100,
  'RuleSimulation.notes': 20,
  'RuleTrial.alarmsPerDay': 402,
  'RuleTrial.missed': 100,
  'RuleVersionResult.wouldHaveOpened': 100,
  'SystemProcess.problems': 20,
  'SystemProcess.roles': 4,
  'SystemProtocol.framesByMinute': 60,
  'SystemStatus.backups': 5,
  // The list contains only the newest process of each name, so a restart does not make it longer.
  'SystemStatus.brokers': 100,
  'SystemStatus.processes': 100,
  'SystemStatus.protocols': 3,
  'SystemStatus.queues': 7,
  // The list has the database size of each day in the last twelve weeks.
  'SystemStatus.sizes': 86,
};

/** Maximum number of rows in each connection that never has many rows, whatever page size is requested. */
export const connectionSizes: Readonly<Record<string, number>> = {
  // Row level security shows a user one customer and its partner.
  'Query.customers': 1,
  'Query.partners': 1,
  'Partner.customers': 1,
  'Query.alarmCount': 1,
  'Query.alarmsOpenedByHour': 29,
};
