import type { Pool } from 'pg';
import * as pgAdaptor from 'postgraphile/adaptors/pg';
import { beginAs } from '../platform/database.ts';

type Settings = Record<string, string | undefined> | null;
type Work = Parameters<ReturnType<typeof pgAdaptor.makePgAdaptorWithPgClient>>[1];

/**
 * PostGraphile's adaptor for node-postgres, but a transaction begins with one message instead of two, and none begins
 * without a role: PostGraphile alone would then ask as the login role.
 */
export const adaptor = {
  ...pgAdaptor,
  createWithPgClient({ pool }: { pool: Pool }) {
    const withPgClient = async (settings: Settings, work: Work): Promise<unknown> => {
      const { role = '', ...rest } = settings ?? {};
      const begin = beginAs({ role, settings: rest as Record<string, string> });
      const client = await pool.connect();
      try {
        await client.query(begin);
        const result = await pgAdaptor.makeWithPgClientViaPgClientAlreadyInTransaction(client, true)(null, work);
        await client.query('commit');
        return result;
      } catch (error) {
        // When this fails too the connection is gone, and the transaction with it: the first error is the one that tells.
        await client.query('rollback').catch(() => {});
        throw error;
      } finally {
        client.release();
      }
    };
    return Object.assign(withPgClient, { release() {} });
  },
};
