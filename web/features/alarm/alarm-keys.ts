import type { KeyWords } from '../../kit/page/key-list.ts';

/** The keys of the list for somebody who may handle alarms or only read them; a past one has been resolved. */
export function keysOf(mayHandle: boolean, past: boolean): KeyWords[] {
  const handling: KeyWords[] = [
    { keys: ['x'], words: 'Select the alarm', short: 'select' },
    {
      keys: ['a'],
      words: 'Acknowledge the selected alarms, else the open one, else the one in focus',
      short: 'acknowledge',
    },
    ...(past
      ? []
      : [
          {
            keys: ['r'],
            words: 'Resolve the selected alarms, else the open one, else the one in focus',
            short: 'resolve',
          },
        ]),
  ];
  return [
    { keys: ['j', 'k'], words: 'Go to the next or the previous alarm', short: 'move' },
    ...(mayHandle ? handling : []),
    { keys: ['Enter'], words: 'Open the alarm beside the list', short: 'open' },
    { keys: ['Home', 'End'], words: 'From within the list, go to its first or last alarm' },
  ];
}

/** The keys of an alarm's own page: what can still be done with it. */
export function keysOfOne(able: { acknowledge: boolean; resolve: boolean }): KeyWords[] {
  return [
    ...(able.acknowledge ? [{ keys: ['a'], words: 'Acknowledge the alarm' }] : []),
    ...(able.resolve ? [{ keys: ['r'], words: 'Resolve the alarm' }] : []),
  ];
}
