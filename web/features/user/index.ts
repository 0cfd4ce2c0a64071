export { emptyUser, userErrors } from './user-form.ts';
