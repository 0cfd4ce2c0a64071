import { queryOptions } from '@tanstack/react-query';
import { SILENT_SITE } from '../../../../domain/alarm/texts.ts';
import { DIGITAL, NO_ALARM_STATE } from '../../../../domain/datapoint.ts';
import { ask, graphql } from '../../../api/graphql.ts';
import { rowsOf } from '../../../kit/list/list.ts';

const ruleNames = graphql(`
  query RuleNamesOfSite($site: UUID!) {
    rules(first: 200, filter: { tocsinSiteUuid: { equalTo: $site } }, orderBy: [NAME_ASC]) {
      nodes {
        name
      }
    }
    rulesJsons(first: 200, filter: { site: { uuid: { equalTo: $site } } }, orderBy: [RULE_NAME_ASC]) {
      nodes {
        ruleName
      }
    }
    assetDatapoints(
      first: 500
      filter: { asset: { tocsinSiteUuid: { equalTo: $site } } }
      orderBy: [TOCSIN_DATAPOINT_NAME_ASC, PRIMARY_KEY_ASC]
    ) {
      nodes {
        sensorType
        sensorChannel {
          name
          channelTitleText
          channelAlarmCondition
        }
      }
    }
    ruleAlerts(first: 200, filter: { tocsinSiteUuid: { equalTo: $site } }) {
      nodes {
        tocsinRuleName
      }
    }
  }
`);
const MOST_RULES = 200;

/**
 * Fetches all rule names of a site, and which of them already have a rule alert. Includes multi-condition rules,
 * digital alarms and the rule name of a silent site.
 */
export function ruleNamesQuery(siteUuid: string | null) {
  return queryOptions({
    queryKey: ['rule', 'names', siteUuid],
    queryFn: async ({ signal }) => {
      const found = await ask(ruleNames, { site: siteUuid ?? '' }, signal);
      const rules = rowsOf(found.rules);
      const names = [
        ...rules.map(({ name }) => name),
        ...rowsOf(found.rulesJsons).map(({ ruleName }) => ruleName),
        ...rowsOf(found.assetDatapoints).flatMap(({ sensorType, sensorChannel: channel }) =>
          sensorType === DIGITAL && channel && channel.channelAlarmCondition !== NO_ALARM_STATE
            ? channel.channelTitleText || channel.name
            : [],
        ),
      ];
      return {
        /** True if the list contains all rules. */
        complete: rules.length < MOST_RULES,
        names: [...new Set([...names, SILENT_SITE])].sort((one, other) => one.localeCompare(other)),
        joined: new Set(rowsOf(found.ruleAlerts).map(({ tocsinRuleName }) => tocsinRuleName)),
      };
    },
    enabled: siteUuid !== null,
  });
}
