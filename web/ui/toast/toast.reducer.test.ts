import { describe, expect, test } from 'vitest';
import { noToasts, reduceToasts, type ToastContent, type ToastEvent } from './toast.reducer.ts';

const saved: ToastContent = { kind: 'success', message: 'Password changed' };
const refused: ToastContent = { kind: 'error', message: 'Wrong user name or password.' };

const stateAfter = (...events: ToastEvent[]) => events.reduce(reduceToasts, noToasts);
const show = (content: ToastContent): ToastEvent => ({ type: 'show', content });
const of = (type: 'hold' | 'release' | 'dismiss' | 'elapsed', id = 1): ToastEvent => ({ type, id });

describe('toasts', () => {
  test('stay 5000 ms, fade for 300 ms and are removed', () => {
    expect(stateAfter(show(saved)).toasts).toMatchObject([{ id: 1, phase: 'shown', elapsesIn: 5000 }]);
    expect(stateAfter(show(saved), of('elapsed')).toasts).toMatchObject([{ id: 1, phase: 'leaving', elapsesIn: 300 }]);
    expect(stateAfter(show(saved), of('elapsed'), of('elapsed')).toasts).toEqual([]);
  });

  test('stay while the mouse is over them, and close 1000 ms after it has left', () => {
    expect(stateAfter(show(saved), of('hold')).toasts).toMatchObject([{ phase: 'held', elapsesIn: null }]);
    expect(stateAfter(show(saved), of('hold'), of('release')).toasts).toMatchObject([
      { phase: 'shown', elapsesIn: 1000 },
    ]);
  });

  test('close immediately when tapped, even while the mouse is over them', () => {
    expect(stateAfter(show(saved), of('dismiss')).toasts).toMatchObject([{ phase: 'leaving', elapsesIn: 300 }]);
    expect(stateAfter(show(saved), of('hold'), of('dismiss')).toasts).toMatchObject([{ phase: 'leaving' }]);
  });

  test('a closing toast still closes if the mouse moves over it', () => {
    const leaving = stateAfter(show(saved), of('dismiss'));
    expect(reduceToasts(reduceToasts(leaving, of('hold')), of('release'))).toEqual(leaving);
  });

  test('stack newest on top, without a limit', () => {
    const many = Array.from({ length: 40 }, (_, i) => show({ kind: 'info', message: `Message ${i}` }));
    const { toasts } = stateAfter(...many);
    expect(toasts).toHaveLength(40);
    expect(toasts[0]?.message).toBe('Message 39');
    expect(toasts[39]?.message).toBe('Message 0');
  });

  test('are not added while an equal one is shown, and do not extend its time', () => {
    const once = stateAfter(show(refused));
    expect(reduceToasts(once, show(refused))).toBe(once);
    expect(stateAfter(show(refused), show(saved), show(refused)).toasts).toHaveLength(2);
  });

  test('the same text with another kind or title is another toast', () => {
    expect(stateAfter(show(saved), show({ ...saved, kind: 'error' })).toasts).toHaveLength(2);
    expect(stateAfter(show(saved), show({ ...saved, title: 'Done' })).toasts).toHaveLength(2);
  });

  test('the same text about another record is another toast', () => {
    expect(stateAfter(show({ ...saved, about: 'one' }), show({ ...saved, about: 'other' })).toasts).toHaveLength(2);
  });

  test('are added again, with a new id, once the equal one is closing or closed', () => {
    expect(stateAfter(show(saved), of('dismiss'), show(saved)).toasts.map((toast) => toast.id)).toEqual([2, 1]);
    expect(stateAfter(show(saved), of('dismiss'), of('elapsed'), show(saved)).toasts.map((t) => t.id)).toEqual([2]);
  });

  test('ignores events for a removed toast', () => {
    const one = stateAfter(show(saved));
    for (const type of ['hold', 'release', 'dismiss', 'elapsed'] as const) {
      expect(reduceToasts(one, of(type, 99))).toEqual(one);
    }
  });
});
