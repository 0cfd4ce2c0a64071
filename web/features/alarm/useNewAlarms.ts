import { useEffect, useRef, useState } from 'react';
import { formatCount } from './count-words.ts';
import { listen } from './new-alarm.ts';
import type { OpenAlarms } from './open-alarms.ts';
import { heard, readyAtFirstTouch, ring, soundIsOn } from './sound.ts';

/** Sounds when a new alarm has come, unless it is silenced, and answers the words for those who cannot see the number change. */
export function useNewAlarms(alarms: OpenAlarms | undefined): string {
  const before = useRef<number | null | undefined>(undefined);
  const [words, setWords] = useState('');
  useEffect(() => readyAtFirstTouch(), []);
  useEffect(() => {
    if (alarms === undefined) {
      return;
    }
    const { latest, isNew, sounds } = listen(before.current, alarms.newest, heard.get());
    before.current = latest;
    if (isNew) {
      setWords(`New alarm. ${formatCount(alarms.unacknowledged)} not acknowledged.`);
    }
    if (sounds && latest !== null) {
      heard.set(latest);
      if (soundIsOn.get()) {
        ring();
      }
    }
  }, [alarms]);
  return words;
}
