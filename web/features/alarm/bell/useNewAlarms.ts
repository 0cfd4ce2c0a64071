import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../count-words.ts';
import { listen, newSince } from './new-alarm.ts';
import type { OpenAlarms } from './open-alarms.ts';
import { heard, readyAtFirstTouch, ring, soundIsOn } from './sound.ts';
import { takeBackEnded, useShowNewAlarms } from './useShowNewAlarms.ts';

/** Sounds when a new alarm has come, unless it is silenced, shows which, and answers the words for those who cannot see it. */
export function useNewAlarms(alarms: OpenAlarms | undefined): string {
  const show = useShowNewAlarms();
  const before = useRef<number | null | undefined>(undefined);
  const [words, setWords] = useState('');
  /** The number in the words. */
  const said = useRef(0);
  useEffect(() => readyAtFirstTouch(), []);
  useEffect(() => {
    if (alarms === undefined) {
      return;
    }
    const last = before.current;
    const { latest, isNew, sounds } = listen(before.current, alarms.newest, heard.get());
    before.current = latest;
    void takeBackEnded();
    if (!isNew) {
      // What was said of a number that has changed is true no more.
      if (alarms.unacknowledged !== said.current) setWords('');
    } else {
      said.current = alarms.unacknowledged;
      setWords(`New alarm. ${formatCount(alarms.unacknowledged)} not acknowledged.`);
      void show(newSince(last, latest));
    }
    if (sounds && latest !== null) {
      heard.set(latest);
      if (soundIsOn.get()) {
        ring();
      }
    }
  }, [alarms, show]);
  return words;
}
