import { expect, test } from 'vitest';
import { printReference } from './reference.ts';

const lines = printReference(`
  type Query {
    pumps(first: Int, filter: PumpFilter, orderBy: [PumpOrderBy!]): PumpConnection
    pumpsOfToday(first: Int, filter: PumpFilter): PumpConnection
  }
  type PumpConnection { nodes: [Pump]! }
  type Pump { name: String! }
  input PumpFilter { and: [PumpFilter!] name: StringFilter not: PumpFilter or: [PumpFilter!] wellExists: Boolean }
  input StringFilter { equalTo: String in: [String!] isNull: Boolean }
  enum PumpOrderBy { NAME_ASC NAME_DESC NATURAL PRIMARY_KEY_ASC PRIMARY_KEY_DESC UUID_ASC UUID_DESC }
`).split('\n');

test('marks each list that can be ordered', () => {
  expect(lines).toContain('- `pumps` → `Pump` *ordered list*');
  expect(lines).toContain('- `pumpsOfToday` → `Pump` *list*');
});

test('lists the values of an order and the fields of a filter, each on one line', () => {
  expect(lines).toContain('**PumpOrderBy**: `NAME`, `PRIMARY_KEY`, `UUID`, and `NATURAL`');
  expect(lines).toContain('**PumpFilter**: `name: StringFilter`, `wellExists: Boolean`');
  expect(lines).toContain('**StringFilter**: `equalTo`, `in`, `isNull`');
});
