import { describe, expect, test } from 'vitest';
import { defaultMaintenance, whatIsDue } from './embedded-maintenance.ts';

const quiet = { logBytes: 0, sinceCheckpointMs: 0, sinceVacuumMs: 0, busy: false };
const due = (facts: Partial<typeof quiet>) => whatIsDue({ ...quiet, ...facts }, defaultMaintenance);

describe('what maintenance is due', () => {
  test('nothing while nothing was written, however long', () => {
    expect(due({ sinceCheckpointMs: 86_400_000 })).toEqual({ task: 'nothing', because: 'not-due' });
  });

  test('a checkpoint a minute after a write, not before', () => {
    expect(due({ logBytes: 1, sinceCheckpointMs: 59_999 })).toEqual({ task: 'nothing', because: 'not-due' });
    expect(due({ logBytes: 1, sinceCheckpointMs: 60_000 })).toEqual({ task: 'checkpoint', because: 'time-passed' });
  });

  test('a checkpoint at once when the log is long, even when people wait', () => {
    expect(due({ logBytes: 64 * 1024 * 1024, busy: true })).toEqual({ task: 'checkpoint', because: 'log-is-long' });
  });

  test('vacuuming every half hour, when nobody waits', () => {
    expect(due({ sinceVacuumMs: 1_799_999 })).toEqual({ task: 'nothing', because: 'not-due' });
    expect(due({ sinceVacuumMs: 1_800_000 })).toEqual({ task: 'vacuum', because: 'time-passed' });
    expect(due({ sinceVacuumMs: 1_800_000, busy: true })).toEqual({ task: 'nothing', because: 'busy' });
  });

  test('the checkpoint before the vacuuming', () => {
    expect(due({ logBytes: 1, sinceCheckpointMs: 60_000, sinceVacuumMs: 1_800_000 }).task).toBe('checkpoint');
  });
});
