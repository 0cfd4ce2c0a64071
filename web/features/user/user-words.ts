import { type Role, roleOf } from '../../../domain/permission.ts';

interface Methods {
  emailNotification: boolean;
  smsNotification: boolean;
  whatsappNotification: boolean;
  appsNotification: boolean;
}

/** Returns the names of the notification methods that are on: `E-mail, SMS`. Empty if all are off. */
export function methodWords(user: Methods): string {
  return [
    user.emailNotification && 'E-mail',
    user.smsNotification && 'SMS',
    user.whatsappNotification && 'WhatsApp',
    user.appsNotification && 'App push',
  ]
    .filter(Boolean)
    .join(', ');
}

const roles: Record<Role, string> = {
  owner: 'owner',
  manager: 'manager',
  operator: 'operator',
  partner: 'partner account',
};

/** Returns the level with its role: `5, manager`. */
export function levelWords(user: { level: number; tocsinPartnerAccount: boolean }): string {
  return `${user.level}, ${roles[roleOf({ level: user.level, partnerAccount: user.tocsinPartnerAccount })]}`;
}

/** Returns the state of the account as text. An invited user is a user who has not set a password yet. */
export function accountWords(user: { status: boolean; varified: boolean }): string {
  if (!user.status) {
    return 'Disabled';
  }
  return user.varified ? 'Active' : 'Invited';
}
