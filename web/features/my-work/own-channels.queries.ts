import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';

const ownPhone = graphql(`
  query OwnPhone($uuid: UUID!) {
    user(uuid: $uuid) {
      phoneNumber
    }
  }
`);

/** The number that SMS and WhatsApp go to. */
export const ownPhoneQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['user', 'own-phone', uuid],
    queryFn: async ({ signal }) => (await ask(ownPhone, { uuid }, signal)).user?.phoneNumber ?? '',
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

export type OwnChannels = VariablesOf<typeof setOwnChannels>;

/** Only the server knows whether somebody may: owners, whom nobody stands above. */
export function saveOwnChannels(channels: OwnChannels) {
  return ask(setOwnChannels, channels);
}
