import { METHOD } from '../../../../domain/notification/methods.ts';
import { addressesOf } from '../../../../domain/notification/recipients.ts';
import type { RuleAlertRecord } from './rule-alert.queries.ts';

/**
 * Counts the people who get an SMS when an alarm opens. Recipients whom the user is not allowed to see are not counted.
 */
export function smsPeople(alert: RuleAlertRecord): number {
  return alert.people.filter(({ isAlert, user, personName, tocsinUserUuid }) => {
    if (!isAlert || !user) return false;
    const { methods } = addressesOf({
      uuid: tocsinUserUuid,
      name: personName ?? '',
      active: user.status,
      varified: user.varified,
      email: user.email,
      phone: user.phoneNumber,
      pushAddresses: [],
      wants: {
        email: user.emailNotification,
        sms: user.smsNotification,
        whatsapp: user.whatsappNotification,
        push: user.appsNotification,
      },
    });
    return methods.some(({ method }) => method === METHOD.sms);
  }).length;
}
