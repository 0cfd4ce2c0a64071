import { createStore } from '../../ui/store.ts';

/** True while the profile dialog is open. */
export const isProfileOpen = createStore(false);
