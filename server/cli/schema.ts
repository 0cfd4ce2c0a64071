/** Writes the API's schema, and the types the console derives from it, from a fresh database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printApiSchema, printSchemaTypes } from '../graphql/print.ts';
import { systemClock } from '../platform/clock.ts';
import { openEmbedded } from '../platform/embedded.ts';
import { silentLog } from '../platform/log.ts';
import { migrateDatabase, root } from '../prepare.ts';

const db = await openEmbedded({ dataDir: 'memory', log: silentLog });
await migrateDatabase(db, { clock: systemClock, log: silentLog });
const schema = await printApiSchema(db);
await db.close();
writeFileSync(join(root, 'web/api/schema.graphql'), schema);
writeFileSync(join(root, 'web/api/schema-types.gen.d.ts'), await printSchemaTypes(schema));
console.log('Wrote web/api/schema.graphql and web/api/schema-types.gen.d.ts');
