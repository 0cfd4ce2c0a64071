import { type Actor, can } from '../../../domain/permission.ts';

/**
 * Returns the page to open after sign-in if the user requested no specific page. This is the usual start page. Partner
 * accounts get the list of sites, because they have neither dashboard nor reports.
 */
export function landingOf<Usual extends string>(actor: Actor, usual: Usual): Usual | '/admin/sites' {
  return can(actor, 'alarm.read') || !can(actor, 'admin.enter') ? usual : '/admin/sites';
}
