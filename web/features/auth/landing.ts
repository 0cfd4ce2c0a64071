import { type Actor, can } from '../../../domain/permission.ts';

/**
 * Where somebody arrives who asked for no page of their own: at the usual one, unless it is closed to them. A partner's
 * service account has neither a dashboard nor reports, so it arrives at the sites it keeps.
 */
export function landingOf<Usual extends string>(actor: Actor, usual: Usual): Usual | '/admin/sites' {
  return can(actor, 'alarm.read') || !can(actor, 'admin.enter') ? usual : '/admin/sites';
}
