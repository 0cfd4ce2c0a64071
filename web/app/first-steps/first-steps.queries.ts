import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';
import { firstSteps, nextStep, type SetupState } from './first-steps.ts';
import { trialOf } from './trial.ts';

/**
 * Fetches one row of each table, because counting would scan the whole table. From the tables of users and rules,
 * fetches several rows, to find a user who is allowed to open alarms and a rule that a test value can violate.
 */
const setupQuery = graphql(`
  query FirstSteps($level: Int!) {
    sites(first: 1) {
      nodes {
        uuid
      }
    }
    sensors(first: 1) {
      nodes {
        uuid
        uid
      }
    }
    sensorChannels(first: 1) {
      nodes {
        uuid
      }
    }
    assets(first: 1) {
      nodes {
        uuid
      }
    }
    assetDatapoints(first: 1) {
      nodes {
        uuid
      }
    }
    heard: assetDatapoints(first: 1, filter: { status: { notEqualTo: 0 } }) {
      nodes {
        uuid
      }
    }
    rules(first: 20) {
      nodes {
        uuid
        name
        tocsinSiteUuid
        valueLower
        valueUpper
        debounce
        datapoint {
          sensor {
            uuid
            uid
            sensorType
            frameFormat
          }
          sensorChannel {
            channelNumber
            channelFactor
            channelOffset
            channelDecimals
          }
        }
      }
    }
    users(filter: { level: { greaterThan: $level } }, first: 50, orderBy: [LEVEL_ASC, PRIMARY_KEY_ASC]) {
      nodes {
        uuid
        displayName
        level
        tocsinPartnerAccount
        siteUsers(first: 1) {
          nodes {
            uuid
          }
        }
      }
    }
    ruleAlerts(first: 10) {
      nodes {
        uuid
        tocsinRuleName
        tocsinSiteUuid
        site {
          siteUsers(first: 100) {
            nodes {
              tocsinUserUuid
            }
          }
        }
        ruleAlertUsers(first: 20) {
          nodes {
            tocsinUserUuid
            user {
              displayName
              level
              tocsinPartnerAccount
            }
          }
        }
      }
    }
  }
`);

type Found = ResultOf<typeof setupQuery>;

const LISTEN_MS = 2000;

/** Fetches the setup state of the plant for a user of this level. Polls while the next step waits for a test value. */
export const firstStepsQuery = (level: number) =>
  queryOptions({
    queryKey: ['first-steps', level],
    queryFn: async ({ signal }): Promise<SetupState> => setupStateOf(await ask(setupQuery, { level }, signal)),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data && nextStep(firstSteps(state.data))?.trial ? LISTEN_MS : false),
  });

function setupStateOf(found: Found): SetupState {
  const [sensor] = rowsOf(found.sensors);
  const alerts = rowsOf(found.ruleAlerts);
  const [alert] = alerts;
  const some = (list: Parameters<typeof rowsOf>[0]) => rowsOf(list).length > 0;
  return {
    sites: some(found.sites),
    sensor: sensor && { uuid: sensor.uuid, name: sensor.uid },
    channels: some(found.sensorChannels),
    assets: some(found.assets),
    datapoints: some(found.assetDatapoints),
    rules: some(found.rules),
    people: rowsOf(found.users).map((user) => ({
      uuid: user.uuid,
      name: user.displayName,
      level: user.level,
      partnerAccount: user.tocsinPartnerAccount,
      linked: some(user.siteUsers),
    })),
    ruleAlert: alert && { uuid: alert.uuid, name: alert.tocsinRuleName },
    recipients: alerts.flatMap(({ uuid, tocsinRuleName, site, ruleAlertUsers }) =>
      rowsOf(ruleAlertUsers).map(({ tocsinUserUuid, user }) => ({
        alert: { uuid, name: tocsinRuleName },
        uuid: tocsinUserUuid,
        name: user?.displayName ?? '',
        // A recipient whom the signed-in user cannot read is at the same level or above, and counts as an owner.
        level: user?.level ?? 0,
        partnerAccount: user?.tocsinPartnerAccount ?? false,
        linked: rowsOf(site?.siteUsers).some((link) => link.tocsinUserUuid === tocsinUserUuid),
      })),
    ),
    trial: trialIn(found),
    readings: some(found.heard),
  };
}

/** Returns the test value for the first rule that a test value can violate. Rules with recipients come first. */
function trialIn(found: Found): SetupState['trial'] {
  const alertedRules = new Set(
    rowsOf(found.ruleAlerts).map((alert) => `${alert.tocsinSiteUuid} ${alert.tocsinRuleName}`),
  );
  const hasRecipients = (rule: { tocsinSiteUuid: string; name: string }) =>
    alertedRules.has(`${rule.tocsinSiteUuid} ${rule.name}`);
  return rowsOf(found.rules)
    .sort((one, other) => Number(hasRecipients(other)) - Number(hasRecipients(one)))
    .map(({ name, valueLower, valueUpper, debounce, datapoint }) => {
      const { sensor, sensorChannel: channel } = datapoint ?? {};
      if (!sensor || !channel) return undefined;
      return trialOf({
        ruleName: name,
        lower: valueLower,
        upper: valueUpper,
        debounce,
        sensor: { uuid: sensor.uuid, uid: sensor.uid, type: sensor.sensorType, format: sensor.frameFormat },
        channel: {
          number: channel.channelNumber,
          factor: channel.channelFactor,
          offset: channel.channelOffset,
          decimals: channel.channelDecimals,
        },
      });
    })
    .find((trial) => trial !== undefined);
}
