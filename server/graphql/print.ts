import './environment.ts';

import { makeSchema } from 'postgraphile';
import { buildSchema, introspectionFromSchema, lexicographicSortSchema, printSchema } from 'postgraphile/graphql';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { makePreset } from './preset.ts';

/** The schema as it is served, sorted so that it reads the same from every database. */
export async function printApiSchema(db: Database): Promise<string> {
  const preset = makePreset({ db, clock: systemClock, log: silentLog, development: false });
  const { schema } = await makeSchema(preset);
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** The same as TypeScript, from which the console's operations get their types. A development package does it. */
export async function printSchemaTypes(schema: string): Promise<string> {
  const { minifyIntrospection, outputIntrospectionFile } = await import('@gql.tada/internal');
  const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(schema), { descriptions: false }));
  return outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
}
