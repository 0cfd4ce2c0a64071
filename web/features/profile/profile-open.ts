import { createStore } from '../../ui/store.ts';

/** Whether the person's profile lies over the page. */
export const isProfileOpen = createStore(false);
