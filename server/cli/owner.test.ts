import { expect, test } from 'vitest';
import { readHost } from './owner.ts';

test.each(['https://plant.example', 'plant.example/console', 'two words', '', 'plant_1.example', '.example'])(
  '"%s" is not a host name',
  (text) => expect(() => readHost(text)).toThrow('--host needs a host name such as plant.example'),
);

test.each(['plant.example', 'Plant.Example', 'plant.example:8443', 'plant'])('%s is a host name', (text) =>
  expect(readHost(text)).toBe(text.toLowerCase()),
);
