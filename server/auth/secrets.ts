import { createSecretKey, type KeyObject } from 'node:crypto';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import { randomToken } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';

export type SecretName = 'xsrf' | 'device' | 'one-time-code' | 'alarm-link' | 'attempts';

const known = new WeakMap<Database, Map<SecretName, Promise<KeyObject>>>();

/** Returns a secret key, which all processes of a database share. The first call creates and stores the key. */
export function secretKey(db: Database, clock: Clock, name: SecretName): Promise<KeyObject> {
  const keys = known.get(db) ?? new Map<SecretName, Promise<KeyObject>>();
  known.set(db, keys);
  let key = keys.get(name);
  if (!key) {
    key = readOrMake(db, clock, name);
    keys.set(name, key);
    // The calling function handles the error. Removing the failed key lets the next call try again.
    key.catch(() => keys.delete(name));
  }
  return key;
}

function readOrMake(db: Database, clock: Clock, name: SecretName): Promise<KeyObject> {
  return db.transaction(serviceAccess(clock), async (tx) => {
    const read = () => tx.query<{ value: Buffer }>('select value from tocsin_private.secret where name = $1', [name]);
    let { rows } = await read();
    if (!rows[0]) {
      // If two processes insert a key at the same time, the first key stays and both processes read it.
      await tx.query('insert into tocsin_private.secret (name, value) values ($1, $2) on conflict (name) do nothing', [
        name,
        Buffer.from(randomToken(32), 'base64url'),
      ]);
      ({ rows } = await read());
    }
    if (!rows[0]) throw new Error(`The secret ${name} could not be created.`);
    return createSecretKey(rows[0].value);
  });
}
