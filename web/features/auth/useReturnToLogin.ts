import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { refreshSession, session } from '../../kit/session/session.ts';

const DELAY = 3000;

/** Opens the login three seconds after a password was set. Leaving the page cancels it. */
export function useReturnToLogin(): () => void {
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      // A new password ends the user's sessions, so the login state must be refreshed before the login opens.
      if (session.get().status === 'in') {
        await refreshSession('signed-out').catch(() => undefined);
      }
      await navigate({ to: '/auth/login' });
    }, DELAY);
  };
}
