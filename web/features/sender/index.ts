export { senderStatesQuery } from './sender.queries.ts';
