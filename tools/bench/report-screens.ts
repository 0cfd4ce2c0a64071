/**
 * The queries of each report screen. They are the console's operations and are sent concurrently, as a browser would
 * send them.
 */
import { rangeBefore, readRange } from '../../domain/report/range.ts';
import { daysBefore, startOfDay, weeksUntil } from '../../domain/week.ts';
import { consoleOperations } from '../check-operations.ts';

const operations = consoleOperations();

type Variables = Record<string, unknown>;

/**
 * Returns the queries of each screen for a range of ninety days, which contains all alarms and messages of the plant.
 */
export function reportScreens(
  now: Date,
  timeZone: string,
): Record<string, [operation: string, variables: Variables][]> {
  const reading = readRange({ range: '90d' }, now, timeZone);
  if (!reading.ok) throw new Error(reading.sentence);
  const times = ({ from, to }: { from: Date; to: Date }) => ({ from: from.toISOString(), to: to.toISOString() });
  const [range, before] = [times(reading.range), times(rangeBefore(reading.range, timeZone))];
  const month = times({ from: daysBefore(now, 29, timeZone), to: daysBefore(now, -1, timeZone) });
  const weeks = { weekStarts: weeksUntil(now, timeZone), today: startOfDay(now, timeZone) };
  const place = { office: null, sites: null };
  const page = { first: 50, offset: 0 };
  const all = { first: 500, offset: 0 };
  return {
    cards: [
      ['HealthByUnitOffice', weeks],
      ['SmsByUnitOffice', month],
      ['ReportAlarmCount', month],
      ['AcknowledgementTotals', { ...month, ...place, smsOnly: true }],
      ['DeliveryFigures', { ...month, ...place, byPerson: false }],
    ],
    health: [['HealthByUnitOffice', weeks]],
    healthBySite: [['HealthBySite', { ...weeks, office: null, ...all }]],
    sms: [
      ['SmsByUnitOffice', range],
      ['SmsByUnitOffice', before],
      ['SmsByDay', { ...range, office: null, ...all }],
    ],
    alarms: [
      ['AlarmFigures', { ...range, ...place }],
      ['AlarmFigures', { ...before, ...place }],
      ['AlarmBreakdown', { ...range, ...place, most: 10 }],
      [
        'AlarmReport',
        {
          ...range,
          ...place,
          orderBy: ['CREATED_AT_DESC', 'PRIMARY_KEY_ASC'],
          ...page,
        },
      ],
    ],
    performance: [
      ['AlarmPerformance', { ...range, ...place }],
      ['AlarmPerformanceTargets', {}],
    ],
    acknowledgements: [
      ['AcknowledgementTotals', { ...range, ...place, smsOnly: true }],
      ['AcknowledgementTotals', { ...before, ...place, smsOnly: true }],
      ['AcknowledgementsByPerson', { ...range, ...place, smsOnly: true }],
      ['AcknowledgementReport', { ...range, ...place, smsOnly: true, ...page }],
    ],
    delivery: [
      ['DeliveryFigures', { ...range, ...place, byPerson: false }],
      ['DeliveryFigures', { ...before, ...place, byPerson: false }],
      ['DeliveryFigures', { ...range, ...place, byPerson: true }],
      ['DeliveryReport', { ...range, ...place, method: null, state: null, search: null, ...page, counted: false }],
    ],
  };
}

/** Returns the time until all queries of a screen have a response, in milliseconds. */
export async function askScreen(
  url: string,
  headers: Record<string, string>,
  questions: readonly [operation: string, variables: Variables][],
): Promise<number> {
  const began = performance.now();
  await Promise.all(
    questions.map(async ([operation, variables]) => {
      const query = operations.get(operation);
      if (query === undefined) throw new Error(`The console has no operation ${operation}.`);
      const body = JSON.stringify({ query, variables });
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
      const { errors } = (await answer.json()) as { errors?: { message: string }[] };
      if (errors) throw new Error(`${operation}: ${errors[0]?.message}`);
    }),
  );
  return performance.now() - began;
}
