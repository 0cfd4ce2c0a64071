import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useDocumentTitle } from '../../kit/brand/useDocumentTitle.ts';
import { signInToDemo } from '../../kit/session/session.ts';

const DELAY = 500;

/** Page that signs in with the demo account when it opens. It exists only in demo mode. */
export function BypassPage() {
  const navigate = useNavigate();
  const opened = useRef(false);
  useDocumentTitle('');
  useEffect(() => {
    if (opened.current) {
      return;
    }
    opened.current = true;
    void signInToDemo().then((entered) => {
      if (entered) {
        setTimeout(() => void navigate({ to: '/dashboard', replace: true }), DELAY);
      } else {
        void navigate({ to: '/auth/login', replace: true });
      }
    });
  }, [navigate]);
  return <p style={{ padding: 'var(--sp-6)' }}>hey</p>;
}
