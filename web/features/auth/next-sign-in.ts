import { createStore } from '../../ui/store.ts';

/** The e-mail address with which the person who just set a password signs in next; empty where nobody did. */
export const nextSignIn = createStore('');
