import type { AuthUser } from '../../../domain/auth-user.ts';
import type { Actor } from '../../../domain/permission.ts';
import { useUser } from './session.ts';

/** Converts the signed-in user to the form that permission checks expect. */
export function actorOf(user: AuthUser): Actor {
  return { level: user.level, partnerAccount: user.tocsin_partner_account };
}

export function useActor(): Actor {
  return actorOf(useUser());
}
