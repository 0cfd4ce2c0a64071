import { expect, test } from 'vitest';
import { recordset } from './recordset.ts';

test('names each column with its type and quotes it', () => {
  expect(recordset('e', { alarmUuid: 'uuid', at: 'float8', to: 'text' })).toBe(
    'json_to_recordset($1) as e ("alarmUuid" uuid, "at" float8, "to" text)',
  );
});

test('reads the parameter with the given number', () => {
  expect(recordset('n', { uuid: 'uuid' }, 3)).toBe('json_to_recordset($3) as n ("uuid" uuid)');
});
