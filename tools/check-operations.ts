/**
 * Validates every GraphQL operation of the console against the committed schema. The TypeScript compiler infers the
 * types of operations but does not report unknown fields.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql';

const root = join(import.meta.dirname, '..');

export interface OperationProblem {
  file: string;
  problem: string;
}

/** Returns the GraphQL documents inside graphql(`…`) calls. */
export function operationsIn(source: string): string[] {
  return [...source.matchAll(/\bgraphql\(\s*`([^`]*)`/g)].map((match) => match[1] as string);
}

/** Returns each operation together with the fragments that it uses, which may be in other files. */
export function operationsOf(documents: readonly string[]): string[] {
  const fragments = new Map(
    documents.flatMap((text) => {
      const name = /^\s*fragment (\w+)/.exec(text)?.[1];
      return name ? [[name, text] as const] : [];
    }),
  );
  const used = (text: string): string[] =>
    [...text.matchAll(/\.\.\.(\w+)/g)].flatMap(([, name = '']) => {
      const fragment = fragments.get(name);
      return name === 'on' || fragment === undefined ? [] : [fragment, ...used(fragment)];
    });
  return documents
    .filter((text) => !/^\s*fragment /.test(text))
    .map((text) => [text, ...new Set(used(text))].join('\n'));
}

/** Returns the console's queries as the console sends them, keyed by name. */
export function consoleOperations(): Map<string, string> {
  const documents = globSync('web/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
    operationsIn(readFileSync(join(root, file), 'utf8')),
  );
  return new Map(
    operationsOf(documents).flatMap((text) => {
      const name = /\bquery (\w+)/.exec(text)?.[1];
      return name ? [[name, text] as const] : [];
    }),
  );
}

export function problemsOf(schema: GraphQLSchema, operation: string): string[] {
  try {
    return validate(schema, parse(operation)).map((error) => error.message);
  } catch (error) {
    return [(error as Error).message];
  }
}

export function checkOperations(): { operations: number; problems: OperationProblem[] } {
  const schema = buildSchema(readFileSync(join(root, 'web/api/schema.graphql'), 'utf8'));
  const problems: OperationProblem[] = [];
  let operations = 0;
  const files = globSync('web/**/*.{ts,tsx}', { cwd: root }).map((file) => ({
    file,
    documents: operationsIn(readFileSync(join(root, file), 'utf8')),
  }));
  const fragments = files.flatMap(({ documents }) => documents).filter((text) => /^\s*fragment /.test(text));
  for (const { file, documents } of files) {
    for (const operation of operationsOf([...fragments, ...documents])) {
      operations += 1;
      for (const problem of problemsOf(schema, operation)) problems.push({ file, problem });
    }
  }
  return { operations, problems };
}

if (import.meta.main) {
  const { operations, problems } = checkOperations();
  for (const { file, problem } of problems) console.error(`${file}: ${problem}`);
  if (problems.length > 0) process.exit(1);
  console.log(`${operations} operations match the schema.`);
}
