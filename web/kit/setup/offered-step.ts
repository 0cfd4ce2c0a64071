import { createStore } from '../../ui/store.ts';
import type { SetupStep } from './setup-steps.ts';

/** The setup step that is currently offered, and the path of the page that offers it. */
export const offeredStep = createStore<{ step: SetupStep; path: string } | null>(null);

/** Offers the next setup step until the user starts it, closes the offer or leaves the page. Null removes the offer. */
export function offerStep(step: SetupStep | null): void {
  offeredStep.set(step && { step, path: window.location.pathname });
}
