import type { QueryClient } from '@tanstack/react-query';
import { refreshConfig, refreshSession, session } from '../../kit/session/session.ts';

const companyNow = () => {
  const current = session.get();
  return current.status === 'in' ? JSON.stringify(current.user.tocsin_customer) : '';
};

/**
 * Asks for the company as it is now. Every page shows its times in its zone, so where it has changed all of them are asked for
 * again; a visitor is shown whom to contact.
 */
export async function refreshCompany(client: QueryClient): Promise<void> {
  const before = companyNow();
  // Its own form shows it where nobody has written anything yet; whoever has is told when saving.
  await Promise.all([refreshSession('expired'), refreshConfig(), client.invalidateQueries({ queryKey: ['customer'] })]);
  if (companyNow() === before) return;
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'customer' });
}
