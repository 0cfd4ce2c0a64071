/** The demo plant: invented customers, people and sites with weeks of believable history. */
export type { DemoDatabase, DemoOptions, DemoSummary } from './load.ts';
export { loadDemo } from './load.ts';
export { demoSignIns } from './people.ts';
export { fewestSites } from './plant.ts';
export { DemoRefused } from './transaction.ts';
