export { PeopleOfName } from './alert/PeopleOfName.tsx';
export { durationWords } from './rule-sentence.ts';
export { limitWords } from './rule-words.ts';
export { useBeforeDisabling } from './useBeforeDisabling.tsx';
