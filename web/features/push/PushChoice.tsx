import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { TbBellOff, TbBellRinging } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { useActor } from '../../kit/session/actor.ts';
import { usePublicConfig } from '../../kit/session/public-config.ts';
import { useUser } from '../../kit/session/session.ts';
import classes from '../../ui/Switches.module.css';
import { toast } from '../../ui/toast/toast.ts';
import { DeviceRefused, deviceState, subscribeDevice, unsubscribeDevice } from './device.ts';

/**
 * Menu entry that turns push notifications for this device on or off. Hidden if the server or the browser does not
 * support push, or if this user is not allowed to use it.
 */
export function PushChoice({ className }: { className: string | undefined }) {
  const { pushKey } = usePublicConfig();
  const allowed = can(useActor(), 'push_subscription.create');
  return pushKey !== null && allowed ? <Choice pushKey={pushKey} className={className} /> : null;
}

function Choice({ pushKey, className }: { pushKey: string; className: string | undefined }) {
  const user = useUser();
  const client = useQueryClient();
  const queryKey = ['push', 'device', user.uuid];
  const { data: state } = useQuery({ queryKey, queryFn: ({ signal }) => deviceState(pushKey, signal), staleTime: 0 });
  const turn = useMutation({
    networkMode: 'always',
    mutationFn: async (on: boolean) => {
      await (on ? subscribeDevice(pushKey) : unsubscribeDevice());
      return on;
    },
    onSuccess: (on) => {
      if (on && !user.apps_notification) {
        toast.info(
          'App push is off in your profile, so this device gets no alarms yet. Turn on app push in your profile.',
          'This device is ready',
        );
      } else {
        toast.success(on ? 'This device now gets alarms.' : 'This device no longer gets alarms.');
      }
    },
    onError: (error) => toast.error(error instanceof DeviceRefused ? error.message : messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  if (state === undefined || state === 'impossible') {
    return null;
  }
  if (state === 'blocked') {
    return (
      <p className={classes.blocked}>
        <TbBellOff size={16} strokeWidth={1.75} aria-hidden />
        The browser blocks notifications from the console. Allow them in the browser settings to get alarms on this
        device.
      </p>
    );
  }
  const isOn = state === 'on';
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className={className}
      disabled={turn.isPending}
      onClick={() => turn.mutate(!isOn)}
    >
      <TbBellRinging size={16} strokeWidth={1.75} aria-hidden />
      Notify me on this device
      <span className={classes.state} data-on={isOn || undefined} aria-hidden>
        <span />
      </span>
    </button>
  );
}
