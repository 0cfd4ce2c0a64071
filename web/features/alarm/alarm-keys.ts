import type { KeyWords } from '../../kit/page/key-list.ts';

/**
 * Returns the shortcuts for the alarm list. A list of past alarms has none for resolving, shelving or taking alarms.
 */
export function listKeys(mayHandle: boolean, past: boolean): KeyWords[] {
  const handling: KeyWords[] = [
    { keys: ['x'], words: 'Select the alarm', short: 'select' },
    {
      keys: ['a'],
      words: 'Acknowledge the selected alarms or the current one',
      short: 'acknowledge',
    },
    ...(past
      ? []
      : [
          {
            keys: ['r'],
            words: 'Resolve the selected alarms or the current one',
            short: 'resolve',
          },
          { keys: ['s'], words: 'Shelve the current alarm', short: 'shelve' },
          { keys: ['t'], words: 'Take the current alarm' },
        ]),
  ];
  return [
    { keys: ['j', 'k'], words: 'Next or previous alarm', short: 'move' },
    ...(mayHandle ? handling : []),
    { keys: ['Enter'], words: 'Open the alarm beside the list', short: 'open' },
    { keys: ['Home', 'End'], words: 'First or last alarm in the list' },
  ];
}

/** Returns the shortcuts for the page of a single alarm. Includes only actions that are still possible. */
export function alarmPageKeys(able: {
  acknowledge: boolean;
  resolve: boolean;
  shelve: boolean;
  take: boolean;
}): KeyWords[] {
  return [
    ...(able.acknowledge ? [{ keys: ['a'], words: 'Acknowledge the alarm' }] : []),
    ...(able.resolve ? [{ keys: ['r'], words: 'Resolve the alarm' }] : []),
    ...(able.shelve ? [{ keys: ['s'], words: 'Shelve the alarm' }] : []),
    ...(able.take ? [{ keys: ['t'], words: 'Take the alarm' }] : []),
  ];
}
