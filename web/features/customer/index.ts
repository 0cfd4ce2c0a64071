export { refreshCompany } from './refresh-company.ts';
export { saveSmsPrice, smsPriceQuery } from './sms-price.queries.ts';
