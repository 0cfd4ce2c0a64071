export { DisableEffects } from './DisableEffects.tsx';
export { deliveryNotices, methodList } from './delivery-words.ts';
export { fateOf, lifeOf, type Message, purposeOf } from './message-life.ts';
export {
  alertsOfPeopleQuery,
  deliveryProblemsQuery,
  disableUsers,
  notificationSummaryQuery,
  unreachedRulesQuery,
} from './reach.queries.ts';
export { PersonUnreached, UnreachedList, UnreachedRules, useUnreachedPeople } from './Unreached.tsx';
export { useDisableChoice } from './useDisableChoice.ts';
