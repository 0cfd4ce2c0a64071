import type { QueryClient } from '@tanstack/react-query';
import { refreshConfig, refreshSession, session } from '../auth/session.ts';

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
  await Promise.all([refreshSession('expired'), refreshConfig()]);
  if (companyNow() === before) return;
  // Not the company's own form, in which somebody may be writing: whoever saves is told what was changed meanwhile.
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'customer' });
}
