import type { ComponentType } from 'react';
import { AlarmBell, AlarmTab } from '../alarm/AlarmBell.tsx';

/** Places in the shell that belong to the data screens. What is null is not drawn. */
export const shellSlots: {
  /** The bell with the count of open alarms, in the header before the user menu. */
  bell: ComponentType | null;
  /** The tab that leads to the alarms, in the bar at the bottom of a phone, between Dashboard and Reports. */
  alarmTab: ComponentType | null;
  /** A banner under the header, such as the one for a lost connection. */
  banner: ComponentType | null;
} = { bell: AlarmBell, alarmTab: AlarmTab, banner: null };
