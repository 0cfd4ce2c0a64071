import { graphql } from '../../api/graphql.ts';

/** The targets that the alarm performance report compares its figures with. They are settings of the company. */
export const performanceTargetFields = graphql(`
  fragment PerformanceTargetFields on Customer {
    dayAlarmsTarget
    dayAlarmsLimit
    periodAlarmsTarget
    periodAlarmsLimit
    floodEndAlarms
    staleHours
    staleTarget
    busyShareTarget
    floodShareTarget
    topRulesShareTarget
    majorShareTarget
    criticalShareTarget
  }
`);
