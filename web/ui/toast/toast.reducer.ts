/** Default time for which a toast is shown, in milliseconds. */
export const STAY = 5000;

/** Time for which a toast stays after the mouse or the focus has left it, in milliseconds. */
export const STAY_AFTER_HOVER = 1000;

/** Duration of a toast's closing animation, in milliseconds. */
export const ANIMATION = 300;

/** Kinds of toasts. An alarm toast has no screen reader role, because the header announces alarms. */
export type ToastKind = 'success' | 'info' | 'error' | 'alarm';

export interface ToastContent {
  kind: ToastKind;
  message: string;
  title?: string;
  /** Key of the toast's subject. `dismissSubjects` uses it to remove the toast. */
  about?: string;
  /** Called when the user opens the toast's link. */
  onOpen?: () => void;
  /** A button shown with the toast. */
  action?: { label: string; run: () => void };
  /** Milliseconds until the toast closes; STAY by default. */
  stay?: number;
}

export interface Toast extends ToastContent {
  id: number;
  phase: 'shown' | 'held' | 'leaving';
  /**
   * Milliseconds until the event `elapsed` is sent; null while the mouse is over the toast or the toast has the focus.
   */
  elapsesIn: number | null;
}

/**
 * The toasts, newest first. `lastId` never decreases, so that the timer of a removed toast cannot affect another toast.
 */
export interface ToastState {
  lastId: number;
  toasts: readonly Toast[];
}

export type ToastEvent =
  | { type: 'show'; content: ToastContent }
  | { type: 'hold'; id: number }
  | { type: 'release'; id: number }
  | { type: 'dismiss'; id: number }
  | { type: 'elapsed'; id: number };

export const noToasts: ToastState = { lastId: 0, toasts: [] };

/**
 * The state machine of the toasts. It starts no timers: `elapsesIn` contains the duration of the timer that each toast
 * needs.
 */
export function reduceToasts(state: ToastState, event: ToastEvent): ToastState {
  switch (event.type) {
    case 'show':
      return show(state, event.content);
    case 'hold':
      return change(state, event.id, (toast) =>
        toast.phase === 'shown' ? { ...toast, phase: 'held', elapsesIn: null } : toast,
      );
    case 'release':
      return change(state, event.id, (toast) =>
        toast.phase === 'held' ? { ...toast, phase: 'shown', elapsesIn: STAY_AFTER_HOVER } : toast,
      );
    case 'dismiss':
      return change(state, event.id, leave);
    case 'elapsed':
      return change(state, event.id, (toast) => (toast.phase === 'leaving' ? null : leave(toast)));
  }
}

function show(state: ToastState, content: ToastContent): ToastState {
  if (state.toasts.some((toast) => toast.phase !== 'leaving' && isSame(toast, content))) {
    return state;
  }
  const id = state.lastId + 1;
  return { lastId: id, toasts: [{ ...content, id, phase: 'shown', elapsesIn: content.stay ?? STAY }, ...state.toasts] };
}

function isSame(a: ToastContent, b: ToastContent): boolean {
  return a.kind === b.kind && a.title === b.title && a.message === b.message && a.about === b.about;
}

function leave(toast: Toast): Toast {
  return toast.phase === 'leaving' ? toast : { ...toast, phase: 'leaving', elapsesIn: ANIMATION };
}

function change(state: ToastState, id: number, next: (toast: Toast) => Toast | null): ToastState {
  const toasts = state.toasts.flatMap((toast) => {
    const changed = toast.id === id ? next(toast) : toast;
    return changed === null ? [] : [changed];
  });
  return { ...state, toasts };
}
