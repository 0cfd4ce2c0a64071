import { createStore } from '../../ui/store.ts';

/** E-mail address of the user who has just set a password. The login page fills it in. Empty if there is none. */
export const nextSignIn = createStore('');
