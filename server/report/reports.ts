import { acknowledgements, acknowledgementsByPerson } from './acknowledgements.ts';
import { alarms, alarmsByReason, alarmsBySite } from './alarms.ts';
import type { ReportContext } from './context.ts';
import { delivery, deliveryByPerson } from './delivery.ts';
import { health, healthGaps } from './health.ts';
import { performance, performanceFloods, performanceRecipients, performanceRules } from './performance.ts';
import { sms } from './sms.ts';
import type { ReportContent } from './table.ts';

/** All downloadable reports, keyed by their name in the URL. */
export const reports: Readonly<Record<string, (context: ReportContext) => Promise<ReportContent>>> = {
  health,
  'health-gaps': healthGaps,
  sms,
  alarms,
  'alarms-by-site': alarmsBySite,
  'alarms-by-reason': alarmsByReason,
  performance,
  'performance-floods': performanceFloods,
  'performance-rules': performanceRules,
  'performance-recipients': performanceRecipients,
  acknowledgements,
  'acknowledgements-by-person': acknowledgementsByPerson,
  delivery,
  'delivery-by-person': deliveryByPerson,
};
