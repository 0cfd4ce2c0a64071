/** The demo plant: invented customers, users and sites with weeks of history. */
export type { DemoDatabase, DemoOptions, DemoSummary } from './load.ts';
export { loadDemo } from './load.ts';
export { demoSignIns } from './plant/people.ts';
export { fewestSites } from './plant/plant.ts';
export { DemoRefused } from './rows/transaction.ts';
