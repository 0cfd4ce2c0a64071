export { DisableEffects } from './DisableEffects.tsx';
export { methodList, problemWords } from './delivery-words.ts';
export { fateOf, lifeOf, type Message, purposeOf } from './message-life.ts';
export { deliveryProblemsQuery, disableUsers, notificationSummaryQuery, unreachedRulesQuery } from './reach.queries.ts';
export { PersonUnreached, UnreachedList, UnreachedRules, useUnreachedPeople } from './Unreached.tsx';
