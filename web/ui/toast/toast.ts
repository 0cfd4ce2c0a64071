import { createStore } from '../store.ts';
import { noToasts, reduceToasts, type ToastEvent } from './toast.reducer.ts';

export const toasts = createStore(noToasts);

export function sendToast(event: ToastEvent): void {
  toasts.set(reduceToasts(toasts.get(), event));
}

/** Functions that show a toast. A toast closes after five seconds unless its time is set with `stay`. */
export const toast = {
  success: (message: string, title?: string) => show('success', message, title),
  info: (message: string, title?: string) => show('info', message, title),
  error: (message: string, title?: string) => show('error', message, title),
  /** Shows a success with an undo button. `stay` is the time in milliseconds in which the user can undo. */
  undoable: (message: string, title: string, action: { label: string; run: () => void }, stay: number) =>
    sendToast({ type: 'show', content: { kind: 'success', message, title, action, stay } }),
  alarm: (message: string, title: string, onOpen: () => void, about?: string) =>
    sendToast({
      type: 'show',
      content: { kind: 'alarm', message, title, onOpen, ...(about === undefined ? {} : { about }) },
    }),
};

/** Removes error toasts after a retry has succeeded. */
export function dismissErrors(): void {
  for (const { id, kind } of toasts.get().toasts) if (kind === 'error') sendToast({ type: 'dismiss', id });
}

/** Returns the subject keys of the visible toasts. */
export function shownSubjects(): string[] {
  return toasts.get().toasts.flatMap(({ about }) => about ?? []);
}

/** Removes the toasts of these subjects. */
export function dismissSubjects(about: readonly string[]): void {
  for (const toast of toasts.get().toasts) {
    if (toast.about !== undefined && about.includes(toast.about)) sendToast({ type: 'dismiss', id: toast.id });
  }
}

function show(kind: 'success' | 'info' | 'error', message: string, title?: string): void {
  sendToast({ type: 'show', content: title === undefined ? { kind, message } : { kind, message, title } });
}
