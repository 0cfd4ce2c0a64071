export { CauseList } from './CauseList.tsx';
export { causeFields, causeOptions } from './dependency.queries.ts';
