export { channelStatesQuery } from './channel.queries.ts';
