import { expect, test } from 'vitest';
import { channelKeys, findChannel } from './channel-keys.ts';

/** Numbers the channels from 1 and returns the channel number for each key. */
function called(names: string[], ...keys: string[]): (number | undefined)[] {
  const channels = names.map((name, index) => ({ number: index + 1, name }));
  const map = channelKeys(channels, (channel) => channel);
  return keys.map((key) => findChannel(map, key)?.number);
}

test('finds a channel by number, and by name in any case', () => {
  expect(called(['Level', 'Flow'], '1', 'Flow', 'flow', 'FLOW', 'Power')).toEqual([1, 2, 2, 2, undefined]);
});

test('prefers the number of a channel to the same text as the name of another channel', () => {
  expect(called(['2', 'Flow'], '2', '1')).toEqual([2, 1]);
});

test.each([[['MW', 'mW']], [['mW', 'MW']]])('distinguishes %j by case and matches neither in another case', (names) => {
  expect(called(names, ...names, 'mw', 'Mw')).toEqual([1, 2, undefined, undefined]);
});

test('finds the first of several channels with the same name', () => {
  expect(called(['Door', 'Door'], 'Door', 'door', '2')).toEqual([1, 1, 2]);
});
