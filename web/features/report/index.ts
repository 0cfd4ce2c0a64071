export { ReportOverview } from './overview/ReportOverview.tsx';
export { useKeptMessages } from './useReports.ts';
