import type { MailText } from '../../sender/mail-text.ts';
import { composeMail } from '../../sender/mail-text.ts';

interface Recipient {
  displayName: string;
  customerName: string;
}

export function invitationMail(to: Recipient, link: string): MailText {
  return composeMail(`${to.customerName}: your Tocsin account`, [
    `Hello ${to.displayName},`,
    `You have an account for the monitoring system of ${to.customerName}. Choose a password to start:`,
    { link, title: 'Choose a password' },
    'You can use the link once, within seven days. If it has expired, ask your manager for a new invitation.',
  ]);
}

/** Composes the mail with a link to choose a new password, which a manager requested for a user who already has one. */
export function newPasswordMail(to: Recipient, link: string): MailText {
  return composeMail(`${to.customerName}: a new password for Tocsin`, [
    `Hello ${to.displayName},`,
    `A manager of ${to.customerName} sent you this link to choose a new password:`,
    { link, title: 'Choose a new password' },
    'You can use the link once, within seven days. Your old password works until you choose a new one. You are then signed out on all your devices.',
    'If you did not ask for a new password, do not use the link, and tell your manager.',
  ]);
}

/**
 * Composes the mail with a verification code. Code mails contain no link, because the requester controls the host name
 * and could choose the link's target.
 */
export function verificationMail(to: Recipient, code: string): MailText {
  return composeMail(`${code} is your Tocsin code`, [
    `Hello ${to.displayName},`,
    `Enter this code to confirm your e-mail address for ${to.customerName}:`,
    { code },
    'You can use the code once, within 10 minutes. If you did not ask for it, ignore this e-mail.',
  ]);
}

export function resetMail(to: Recipient, code: string): MailText {
  return composeMail(`${code} is your Tocsin code`, [
    `Hello ${to.displayName},`,
    `Enter this code to set a new password for ${to.customerName}:`,
    { code },
    'You can use the code once, within 10 minutes. If you did not ask for it, ignore this e-mail. Your password does not change.',
  ]);
}
