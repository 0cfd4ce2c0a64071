import type { QueryClient } from '@tanstack/react-query';
import { refreshConfig, refreshSession, session } from '../../kit/session/session.ts';

const companyNow = () => {
  const current = session.get();
  return current.status === 'in' ? JSON.stringify(current.user.tocsin_customer) : '';
};

/**
 * Refetches the company. If the company has changed, refetches all other data, because every page uses its time zone.
 */
export async function refreshCompany(client: QueryClient): Promise<void> {
  const before = companyNow();
  // The new data updates an open company form. If that form has unsaved changes, the user gets a conflict when saving
  // it.
  await Promise.all([
    refreshSession('expired'),
    refreshConfig(),
    client.invalidateQueries({ queryKey: ['customer'] }),
    client.invalidateQueries({ queryKey: ['report', 'sms', 'budgets'] }),
  ]);
  if (companyNow() === before) return;
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'customer' });
}
