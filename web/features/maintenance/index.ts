export { ActiveWindows } from './ActiveWindows.tsx';
export { type ActiveWindow, activeMaintenanceQuery, activeOfSite } from './active.queries.ts';
