import { useEffect, useRef } from 'react';
import { TbAlertCircle, TbBell, TbCheck, TbInfoCircle, TbX } from 'react-icons/tb';
import { useStore } from '../store.ts';
import classes from './Toast.module.css';
import type { Toast } from './toast.reducer.ts';
import { sendToast, toasts } from './toast.ts';
import { useClearOfControls } from './useClearOfControls.ts';

const icons = { success: TbCheck, info: TbInfoCircle, error: TbAlertCircle, alarm: TbBell };
const roles = { success: 'status', info: 'status', error: 'alert', alarm: undefined };

/** Renders the toasts. It is mounted once outside the pages, so that a toast survives navigation. */
export function ToastRegion() {
  const { toasts: shown } = useStore(toasts);
  const region = useRef<HTMLElement>(null);
  useClearOfControls(region, shown.length);
  return (
    <section ref={region} className={classes.region} aria-label="Messages" data-floating>
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, phase, elapsesIn } = toast;
  // The effect depends on the phase, because two phases may have the same duration.
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
    // biome-ignore lint/a11y/noStaticElementInteractions: tapping anywhere on the toast is only a convenience in addition to that button.
    <div
      className={classes.toast}
      role={roles[toast.kind]}
      data-kind={toast.kind}
      data-phase={phase}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
      onClick={dismiss}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <div className={classes.body}>
        <Text toast={toast} />
        {toast.action ? (
          // The click also reaches the card, which closes the toast.
          <button type="button" className={classes.action} onClick={toast.action.run}>
            {toast.action.label}
          </button>
        ) : null}
      </div>
      <button type="button" className={classes.close} aria-label="Close message" onClick={dismiss}>
        <TbX size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </div>
  );
}

/**
 * The text of a toast. If the toast has `onOpen`, the text is a button, and its click also reaches the card, which
 * closes the toast.
 */
function Text({ toast: { title, message, onOpen } }: { toast: Toast }) {
  const words = (
    <>
      {title === undefined ? null : <b>{title}</b>}
      <span>{message}</span>
    </>
  );
  return onOpen ? (
    <button type="button" className={`${classes.text} ${classes.open}`} onClick={onOpen}>
      {words}
    </button>
  ) : (
    <div className={classes.text}>{words}</div>
  );
}
