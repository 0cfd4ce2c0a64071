export { stateMeaning, stateOf, stateText } from './command-life.ts';
