/** Writes the API schema, the types of the console and docs/api-reference.md, based on the tables of a new database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printApiSchema, printSchemaTypes } from '../graphql/print.ts';
import { printReference } from '../graphql/reference.ts';
import { systemClock } from '../platform/clock.ts';
import { openEmbedded } from '../platform/embedded/embedded.ts';
import { silentLog } from '../platform/log.ts';
import { migrateDatabase, root } from '../start/prepare.ts';

const db = await openEmbedded({ dataDir: 'memory', log: silentLog });
await migrateDatabase(db, { clock: systemClock, log: silentLog });
const schema = await printApiSchema(db);
await db.close();
writeFileSync(join(root, 'web/api/schema.graphql'), schema);
writeFileSync(join(root, 'web/api/schema-types.gen.d.ts'), await printSchemaTypes(schema));
writeFileSync(join(root, 'docs/api-reference.md'), printReference(schema));
console.log('Wrote web/api/schema.graphql, web/api/schema-types.gen.d.ts and docs/api-reference.md');
