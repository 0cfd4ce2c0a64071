import './environment.ts';

import { makeSchema } from 'postgraphile';
import { buildSchema, introspectionFromSchema, lexicographicSortSchema, printSchema } from 'postgraphile/graphql';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { makePreset } from './preset.ts';

/** Returns the API schema as sorted text, which is the same for every database. */
export async function printApiSchema(db: Database): Promise<string> {
  const preset = makePreset({ db, clock: systemClock, log: silentLog, development: false });
  const { schema } = await makeSchema(preset);
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/**
 * Returns the API schema as TypeScript types for the console. Requires a package that is installed only for
 * development.
 */
export async function printSchemaTypes(schema: string): Promise<string> {
  const { minifyIntrospection, outputIntrospectionFile } = await import('@gql.tada/internal');
  const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(schema), { descriptions: false }));
  return outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
}
