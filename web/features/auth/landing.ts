import { type Actor, can } from '../../../domain/permission.ts';

/**
 * Returns the page to open after sign-in if the user requested no specific page: `usual`, or the list of sites for
 * partner accounts, which have neither dashboard nor reports.
 */
export function landingOf<Usual extends string>(actor: Actor, usual: Usual): Usual | '/admin/sites' {
  return can(actor, 'alarm.read') || !can(actor, 'admin.enter') ? usual : '/admin/sites';
}
