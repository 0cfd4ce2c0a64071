import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';

const ownProfile = graphql(`
  query OwnProfile($uuid: UUID!) {
    user(uuid: $uuid) {
      phoneNumber
    }
    ruleAlertUsers(first: 0, filter: { tocsinUserUuid: { equalTo: $uuid } }) {
      totalCount
    }
    ruleEscalateUsers(first: 0, filter: { tocsinUserUuid: { equalTo: $uuid } }) {
      totalCount
    }
  }
`);

/** Loads the user's phone number, and the number of rule alerts and escalations in which the user is a recipient. */
export const ownProfileQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['user', 'own-profile', uuid],
    queryFn: async ({ signal }) => {
      const { user, ruleAlertUsers, ruleEscalateUsers } = await ask(ownProfile, { uuid }, signal);
      return {
        phoneNumber: user?.phoneNumber ?? '',
        ruleAlerts: (ruleAlertUsers?.totalCount ?? 0) + (ruleEscalateUsers?.totalCount ?? 0),
      };
    },
  });

const setOwnChannels = graphql(`
  mutation SetOwnChannels(
    $phoneNumber: String!
    $emailNotification: Boolean!
    $smsNotification: Boolean!
    $whatsappNotification: Boolean!
    $appsNotification: Boolean!
  ) {
    setOwnChannels(
      input: {
        phoneNumber: $phoneNumber
        emailNotification: $emailNotification
        smsNotification: $smsNotification
        whatsappNotification: $whatsappNotification
        appsNotification: $appsNotification
      }
    ) {
      saved
    }
  }
`);

export function saveOwnMethods(methods: VariablesOf<typeof setOwnChannels>) {
  return ask(setOwnChannels, methods);
}

const setOwnProfile = graphql(`
  mutation SetOwnProfile($startPage: String!, $locale: String!) {
    setOwnProfile(input: { startPage: $startPage, locale: $locale }) {
      saved
    }
  }
`);

export function saveOwnProfile(profile: VariablesOf<typeof setOwnProfile>) {
  return ask(setOwnProfile, profile);
}
