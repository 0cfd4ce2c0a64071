import { type Role, roleOf } from '../../../domain/permission.ts';

interface Channels {
  emailNotification: boolean;
  smsNotification: boolean;
  whatsappNotification: boolean;
  appsNotification: boolean;
}

/** How a person is told: `E-mail, SMS`, or an empty text where every channel is off. */
export function channelWords(user: Channels): string {
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
  partner: 'service account',
};

/** `5, manager`. */
export function levelWords(user: { level: number; tocsinPartnerAccount: boolean }): string {
  return `${user.level}, ${roles[roleOf({ level: user.level, partnerAccount: user.tocsinPartnerAccount })]}`;
}

/** A person who has not verified the account has never signed in, whatever else is true of it. */
export function accountWords(user: { status: boolean; varified: boolean }): string {
  if (!user.status) {
    return 'Disabled';
  }
  return user.varified ? 'Active' : 'Invited';
}
