import type { Judge } from '../alarm/judge.ts';
import { doAlarmWork } from '../alarm/work.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { EngineModule } from './engine.ts';

/** What people's changes mean for alarms is carried out soon after, and at the latest with the next round. */
export function alarmWork(parts: { db: Database; clock: Clock; judge: Judge }): EngineModule {
  return { name: 'alarm work', every: 5000, wakeOn: 'tocsin_alarm_work', tick: () => doAlarmWork(parts) };
}
