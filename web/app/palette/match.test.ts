import { expect, test } from 'vitest';
import { matches } from './match.ts';

test.each([
  ['Sensor-log', 'log'],
  ['Sensor-log', 'sens lo'],
  ['Rules & Alerts', 'alerts rul'],
  ['Übersicht', 'uber'],
  ['Dashboard', ''],
  ['Alarm Default Message', '  default '],
])('%s is found by %j', (text, search) => expect(matches(text, search)).toBe(true));

test.each([
  ['Sensor-log', 'ensor'],
  ['Sites', 'sites users'],
  ['Users', 'x'],
])('%s is not found by %j', (text, search) => expect(matches(text, search)).toBe(false));
