export { fetchAsset } from './asset-record.queries.ts';
