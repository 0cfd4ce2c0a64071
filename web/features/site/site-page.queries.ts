import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { type RowOf, rowsOf } from '../../kit/list/list.ts';

const sitePage = graphql(`
  query SitePage($uuid: UUID!) {
    rulesJsons(first: 200, filter: { site: { uuid: { equalTo: $uuid } } }, orderBy: [RULE_NAME_ASC]) {
      nodes {
        uuid
        ruleName
        enabled
        ruleJson
      }
    }
    site(uuid: $uuid) {
      uuid
      name
      siteId
      siteType
      siteCategory
      location
      address
      description
      phoneNumber
      gsmProvider
      gsmSignalStrength
      tocsinHealthDurationHours
      siteStatus
      lastUpdate
      group2 {
        name
      }
      group3 {
        name
      }
      group4 {
        name
      }
      group5 {
        name
      }
      alarms(first: 20, filter: { resolvedDate: { isNull: true } }) {
        nodes {
          severity
          reason
          quietBecause
        }
      }
      assets(first: 200, orderBy: [NAME_ASC]) {
        nodes {
          uuid
          name
          status
          sensor {
            uuid
            uid
            status
            lastContact
          }
          assetDatapoints(first: 50) {
            totalCount
            nodes {
              sensor {
                uuid
                uid
                status
                lastContact
              }
            }
          }
        }
      }
      rules(first: 200, orderBy: [NAME_ASC]) {
        nodes {
          uuid
          name
          enabled
          priority
          valueLower
          valueUpper
          asset {
            name
          }
          datapoint {
            uom
          }
        }
      }
      ruleAlerts(first: 100) {
        nodes {
          ruleAlertUsers(first: 100) {
            nodes {
              tocsinUserUuid
              user {
                uuid
                displayName
              }
            }
          }
          ruleEscalateUsers(first: 50) {
            nodes {
              tocsinUserUuid
              user {
                uuid
                displayName
              }
            }
          }
        }
      }
      siteUsers(first: 500) {
        nodes {
          tocsinUserUuid
          user {
            uuid
            displayName
          }
        }
      }
    }
  }
`);

type Whole = ResultOf<typeof sitePage>;
type Answer = NonNullable<Whole['site']>;

export interface SitePerson {
  uuid: string;
  /**
   * Name of the person. Null if the signed-in user is not allowed to see this person, because the person's level number
   * is not higher than the user's.
   */
  name: string | null;
  linked: boolean;
  notified: boolean;
  escalated: boolean;
}

export type SiteOfPage = Omit<Answer, 'rules'> & {
  sensors: ReturnType<typeof sensorsOf>;
  people: SitePerson[];
  limitRules: NonNullable<Answer['rules']['nodes'][number]>[];
  conditionRules: RowOf<typeof sitePage, 'rulesJsons'>[];
};

export function sitePageQuery(uuid: string) {
  return queryOptions({
    queryKey: ['site', 'page', uuid],
    queryFn: async ({ signal }): Promise<SiteOfPage | null> => {
      const { site, rulesJsons } = await ask(sitePage, { uuid }, signal);
      if (!site) return null;
      const { rules, ...facts } = site;
      return {
        ...facts,
        sensors: sensorsOf(site),
        people: peopleOf(site),
        limitRules: rowsOf(rules),
        conditionRules: rowsOf(rulesJsons),
      };
    },
    refetchInterval: 30_000,
  });
}

/** Returns the sensors of the site's assets and of its data points. */
function sensorsOf(site: Answer) {
  const found = rowsOf(site.assets).flatMap((asset) => [
    asset.sensor,
    ...rowsOf(asset.assetDatapoints).map((datapoint) => datapoint.sensor),
  ]);
  const sensors = new Map(found.flatMap((sensor) => (sensor ? [[sensor.uuid, sensor] as const] : [])));
  return [...sensors.values()].sort((one, other) => one.uid.localeCompare(other.uid));
}

function peopleOf(site: Answer): SitePerson[] {
  const people = new Map<string, SitePerson>();
  const note = (
    link: { tocsinUserUuid: string; user: { displayName: string } | null },
    part: 'linked' | 'notified' | 'escalated',
  ) => {
    const before = people.get(link.tocsinUserUuid);
    people.set(link.tocsinUserUuid, {
      uuid: link.tocsinUserUuid,
      name: link.user?.displayName ?? null,
      linked: false,
      notified: false,
      escalated: false,
      ...before,
      [part]: true,
    });
  };
  for (const link of rowsOf(site.siteUsers)) note(link, 'linked');
  for (const alert of rowsOf(site.ruleAlerts)) {
    for (const person of rowsOf(alert.ruleAlertUsers)) note(person, 'notified');
    for (const person of rowsOf(alert.ruleEscalateUsers)) note(person, 'escalated');
  }
  return [...people.values()].sort((one, other) => (one.name ?? '\uffff').localeCompare(other.name ?? '\uffff'));
}
