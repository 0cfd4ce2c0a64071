import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../count-words.ts';
import { detectNewAlarm, newSince } from './new-alarm.ts';
import type { OpenAlarms } from './open-alarms.ts';
import { lastSounded, playAlarmSound, soundIsOn, unlockAtFirstGesture } from './sound.ts';
import { dismissResolvedToasts, useShowNewAlarms } from './useShowNewAlarms.ts';

/** Shows toasts for new alarms and plays a sound unless muted. Returns the announcement for screen readers. */
export function useNewAlarms(alarms: OpenAlarms | undefined): string {
  const show = useShowNewAlarms();
  const before = useRef<number | null | undefined>(undefined);
  const [announcement, setAnnouncement] = useState('');
  /** The number of unacknowledged alarms in the current announcement. */
  const announcedCount = useRef(0);
  useEffect(() => unlockAtFirstGesture(), []);
  useEffect(() => {
    if (alarms === undefined) {
      return;
    }
    const last = before.current;
    const { latest, isNew, sounds } = detectNewAlarm(before.current, alarms.newest, lastSounded.get());
    before.current = latest;
    void dismissResolvedToasts();
    if (!isNew) {
      // Clears the announcement for screen readers if its number of alarms is outdated.
      if (alarms.unacknowledged !== announcedCount.current) setAnnouncement('');
    } else {
      announcedCount.current = alarms.unacknowledged;
      setAnnouncement(`New alarm. ${formatCount(alarms.unacknowledged)} not acknowledged.`);
      void show(newSince(last, latest));
    }
    if (sounds && latest !== null) {
      lastSounded.set(latest);
      if (soundIsOn.get()) {
        playAlarmSound();
      }
    }
  }, [alarms, show]);
  return announcement;
}
