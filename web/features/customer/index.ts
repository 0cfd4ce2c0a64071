export { performanceTargetFields } from './performance-targets.queries.ts';
export { refreshCompany } from './refresh-company.ts';
export { SmsBudgetFields } from './SmsBudgetFields.tsx';
export { saveSmsPrice, smsPriceQuery } from './sms-price.queries.ts';
