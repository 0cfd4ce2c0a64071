import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { SmsPrice } from '../../../domain/money.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const smsPrice = graphql(`
  query SmsPrice {
    customers(first: 1) {
      nodes {
        smsPrice
        smsCurrency
      }
    }
  }
`);

const setSmsPrice = graphql(`
  mutation SetSmsPrice($price: Float, $currency: String) {
    setSmsPrice(input: { price: $price, currency: $currency }) {
      clientMutationId
    }
  }
`);

/** Price of an SMS segment; null if not set. */
export const smsPriceQuery = queryOptions({
  queryKey: ['channel', 'sms-price'],
  queryFn: async ({ signal }): Promise<SmsPrice | null> => {
    const [customer] = rowsOf((await ask(smsPrice, {}, signal)).customers);
    return customer?.smsPrice && customer.smsCurrency
      ? { price: customer.smsPrice, currency: customer.smsCurrency }
      : null;
  },
  staleTime: 60_000,
});

export async function saveSmsPrice(client: QueryClient, price: SmsPrice | null): Promise<void> {
  await ask(setSmsPrice, { price: price?.price ?? null, currency: price?.currency ?? null });
  await client.invalidateQueries({ queryKey: smsPriceQuery.queryKey });
}
