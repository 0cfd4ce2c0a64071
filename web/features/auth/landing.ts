import { type Actor, can } from '../../../domain/permission.ts';

/**
 * The start page of a user who requested none: the usual one, or the sites for a partner account, which has neither
 * dashboard nor reports.
 */
export function landingOf<Usual extends string>(actor: Actor, usual: Usual): Usual | '/admin/sites' {
  return can(actor, 'alarm.read') || !can(actor, 'admin.enter') ? usual : '/admin/sites';
}
