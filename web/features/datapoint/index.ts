export { updateDatapointOrder } from './datapoint.queries.ts';
export { moved, newPlaces } from './order.ts';
