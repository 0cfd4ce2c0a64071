import type { Writable } from 'node:stream';
import type { Pool } from 'pg';
import * as pgAdaptor from 'postgraphile/adaptors/pg';
import { beginAs } from '../platform/database.ts';

type Settings = Record<string, string | undefined> | null;
type Work = Parameters<ReturnType<typeof pgAdaptor.makePgAdaptorWithPgClient>>[1];

/**
 * PostGraphile's adaptor for node-postgres, but the beginning of a transaction and its first query travel together, and
 * none begins without a role: PostGraphile alone would then ask as the login role. When the beginning fails the
 * transaction is broken, so the query behind it is refused and never runs with other eyes.
 */
export const adaptor = {
  ...pgAdaptor,
  createWithPgClient({ pool }: { pool: Pool }) {
    const withPgClient = async (settings: Settings, work: Work): Promise<unknown> => {
      const { role = '', ...rest } = settings ?? {};
      const begin = beginAs({ role, settings: rest as Record<string, string> });
      const client = await pool.connect();
      try {
        const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
        stream.cork();
        const begun = client.query(begin);
        const worked = pgAdaptor.makeWithPgClientViaPgClientAlreadyInTransaction(client, true)(null, work);
        stream.uncork();
        const [, result] = await Promise.all([begun, worked]);
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
