import { useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/http.ts';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { toast } from '../../../ui/toast/toast.ts';
import type { AlarmAssignment } from '../alarm.queries.ts';
import { sendRelease, sendTake } from './assign.queries.ts';

type AssignableAlarm = AlarmAssignment & { uuid: string; acknowledgeJson: unknown };

export const TAKING_ONLY = 'Taking an alarm does not acknowledge it or stop its escalation.';

/**
 * Returns functions that take and release an alarm and then refetch all alarms. A toast shows the result. The server
 * refuses to let a user take an alarm that is assigned to somebody else; taking it over is a separate action.
 */
export function useAssignment() {
  const client = useQueryClient();
  const run = async (change: () => Promise<void>, done: string) => {
    try {
      await change();
      toast.success(done);
    } catch (error) {
      toast.error(messageOf(error));
    }
    await client.invalidateQueries({ queryKey: ['alarm'] });
  };
  return {
    take: ({ uuid, acknowledgeJson }: Pick<AssignableAlarm, 'uuid' | 'acknowledgeJson'>) =>
      run(
        () => sendTake(uuid, null),
        acknowledgementOf(acknowledgeJson) === null
          ? `The alarm is assigned to you. ${TAKING_ONLY}`
          : 'The alarm is assigned to you.',
      ),
    release: ({ uuid }: Pick<AssignableAlarm, 'uuid'>) => run(() => sendRelease(uuid), 'You released the alarm.'),
  };
}
