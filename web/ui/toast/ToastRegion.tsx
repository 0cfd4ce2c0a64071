import { IconAlertCircle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from '../store.ts';
import classes from './Toast.module.css';
import type { Toast } from './toast.reducer.ts';
import { sendToast, toasts } from './toast.ts';

const icons = { success: IconCheck, info: IconInfoCircle, error: IconAlertCircle };

/** Draws the toasts. Mounted once, beside the pages, so that a toast survives a change of page. */
export function ToastRegion() {
  const { toasts: shown } = useStore(toasts);
  return (
    <section className={classes.region} aria-label="Messages">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, phase, elapsesIn } = toast;
  // The phase stands among the dependencies because two phases may take equally long.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new phase starts a new timer.
  useEffect(() => {
    if (elapsesIn === null) {
      return;
    }
    const timer = setTimeout(() => sendToast({ type: 'elapsed', id }), elapsesIn);
    return () => clearTimeout(timer);
  }, [id, phase, elapsesIn]);

  const Icon = icons[toast.kind];
  const hold = () => sendToast({ type: 'hold', id });
  const release = () => sendToast({ type: 'release', id });
  const dismiss = () => sendToast({ type: 'dismiss', id });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the close button inside does the same for a keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: tapping anywhere on it is a convenience on top of that button.
    <div
      className={classes.toast}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      data-kind={toast.kind}
      data-phase={phase}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
      onClick={dismiss}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
      <div className={classes.text}>
        {toast.title === undefined ? null : <b>{toast.title}</b>}
        <span>{toast.message}</span>
      </div>
      <button type="button" className={classes.close} aria-label="Close message" onClick={dismiss}>
        <IconX size={16} stroke={1.75} aria-hidden />
      </button>
    </div>
  );
}
