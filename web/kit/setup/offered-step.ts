import { createStore } from '../../ui/store.ts';
import type { SetupStep } from './setup-steps.ts';

/** The step that is offered now, and the page on which it was offered. */
export const offeredStep = createStore<{ step: SetupStep; path: string } | null>(null);

/** Offers the next step of the setup until it is taken or closed, or the person leaves the page. */
export function offerStep(step: SetupStep | null): void {
  offeredStep.set(step && { step, path: window.location.pathname });
}
