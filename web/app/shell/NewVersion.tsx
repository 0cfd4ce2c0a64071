import { useEffect, useState } from 'react';
import { TbRefresh } from 'react-icons/tb';
import { isNewVersion } from './console-version.ts';
import classes from './NewVersion.module.css';

const CHECK_INTERVAL_MS = 5 * 60_000;

/**
 * Offers to reload when the server has a different console version. Never reloads automatically, because the user may
 * be typing.
 */
export function NewVersion() {
  const isNew = useNewVersion();
  return (
    <div role="status" aria-label="Version">
      {isNew ? (
        <p className={classes.banner}>
          <TbRefresh size={16} strokeWidth={1.75} aria-hidden />
          <span>A new version of the console is available.</span>
          <button type="button" className={classes.reload} onClick={() => window.location.reload()}>
            Reload
          </button>
        </p>
      ) : null}
    </div>
  );
}

/** Checks for a new version when the user returns to the page, and every few minutes. */
function useNewVersion(): boolean {
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    if (isNew) {
      return;
    }
    const running = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;
    const look = async () => {
      if (document.visibilityState === 'hidden') {
        return;
      }
      const answer = await fetch('/index.html', { cache: 'no-cache' }).catch(() => null);
      const html = answer?.ok ? await answer.text().catch(() => '') : '';
      if (isNewVersion(running, html)) {
        setNew(true);
      }
    };
    const again = () => void look();
    const timer = setInterval(again, CHECK_INTERVAL_MS);
    window.addEventListener('focus', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, [isNew]);
  return isNew;
}
