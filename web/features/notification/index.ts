export { DisableEffects } from './DisableEffects.tsx';
export { deliveryNotices, methodList } from './delivery-words.ts';
export {
  alertsOfPeopleQuery,
  deliveryProblemsQuery,
  disableUsers,
  notificationSummaryQuery,
  replacementQuery,
  unreachedRulesQuery,
} from './notification.queries.ts';
export { deliveryText, lifeOf, type Message, purposeOf } from './notification-life.ts';
export { PersonUnreached, UnreachedList, UnreachedRules, useUnreachedPeople } from './UnreachedRecipients.tsx';
export { useDisableChoice } from './useDisableChoice.ts';
