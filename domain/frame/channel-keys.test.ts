import { expect, test } from 'vitest';
import { channelKeys, findChannel } from './channel-keys.ts';

/** Channels by their names, numbered from 1; which of them each key calls. */
function called(names: string[], ...keys: string[]): (number | undefined)[] {
  const channels = names.map((name, index) => ({ number: index + 1, name }));
  const map = channelKeys(channels, (channel) => channel);
  return keys.map((key) => findChannel(map, key)?.number);
}

test('a channel is called by its number, and by its name in any case', () => {
  expect(called(['Level', 'Flow'], '1', 'Flow', 'flow', 'FLOW', 'Power')).toEqual([1, 2, 2, 2, undefined]);
});

test('a number comes before a name that looks like it', () => {
  expect(called(['2', 'Flow'], '2', '1')).toEqual([2, 1]);
});

test.each([[['MW', 'mW']], [['mW', 'MW']]])(
  '%j are told apart by their case, and in another case neither is meant',
  (names) => {
    expect(called(names, ...names, 'mw', 'Mw')).toEqual([1, 2, undefined, undefined]);
  },
);

test('the first of several with one name has it', () => {
  expect(called(['Door', 'Door'], 'Door', 'door', '2')).toEqual([1, 1, 2]);
});
