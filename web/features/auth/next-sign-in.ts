import { createStore } from '../../ui/store.ts';

/** The e-mail of a user who has just set a password, to prefill the login; empty if none. */
export const nextSignIn = createStore('');
