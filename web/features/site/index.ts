export { SitePicker } from './SitePicker.tsx';
export { unitOfficesQuery } from './site.queries.ts';
