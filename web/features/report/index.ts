export { useKeptMessages } from './delivery/useKeptMessages.ts';
export { ReportOverview } from './overview/ReportOverview.tsx';
