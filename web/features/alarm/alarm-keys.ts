import type { KeyWords } from '../../kit/page/key-list.ts';

/** Shortcuts of the alarm list. Past alarms cannot be resolved again. */
export function listKeys(mayHandle: boolean, past: boolean): KeyWords[] {
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

/** Shortcuts of an alarm's own page, for the actions that are still possible. */
export function alarmPageKeys(able: { acknowledge: boolean; resolve: boolean }): KeyWords[] {
  return [
    ...(able.acknowledge ? [{ keys: ['a'], words: 'Acknowledge the alarm' }] : []),
    ...(able.resolve ? [{ keys: ['r'], words: 'Resolve the alarm' }] : []),
  ];
}
