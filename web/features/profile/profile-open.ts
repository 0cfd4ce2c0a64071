import { createStore } from '../../ui/store.ts';

export const isProfileOpen = createStore(false);
