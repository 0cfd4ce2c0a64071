import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { refreshSession, session } from '../../kit/session/session.ts';

const DELAY = 3000;

/** Returns a function that opens the login page after three seconds, unless the user leaves the page first. */
export function useReturnToLogin(): () => void {
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      // Setting a new password ends the user's sessions. Refresh the session first, so that the login page can open.
      if (session.get().status === 'in') {
        await refreshSession('signed-out').catch(() => undefined);
      }
      await navigate({ to: '/auth/login' });
    }, DELAY);
  };
}
