import { type Actor, can } from '../../../domain/permission.ts';

/**
 * Returns the page to open after sign-in if the user did not request a specific page. Partner accounts can open neither
 * the dashboard nor the reports, so they get the list of sites instead of `usual`.
 */
export function landingOf<Usual extends string>(actor: Actor, usual: Usual): Usual | '/admin/sites' {
  return can(actor, 'alarm.read') || !can(actor, 'admin.enter') ? usual : '/admin/sites';
}
