import { createStore } from '../../ui/store.ts';

/** Whether the profile dialog is open. */
export const isProfileOpen = createStore(false);
