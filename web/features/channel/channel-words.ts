import { timesWords } from '../../../domain/plural.ts';

/** The settings by which each way to reach people is set up, as docs/channels.md names them. */
export const setUpBy: Readonly<Record<number, string>> = {
  1: 'SMTP_URL',
  2: 'TOCSIN_WHATSAPP_TOKEN',
  3: 'TOCSIN_SMS_URL or TOCSIN_TWILIO_ACCOUNT',
  4: 'TOCSIN_PUSH_SUBJECT',
};

/** What makes a provider report whether a message arrived, by the name of the channel. E-mail and push have no such reports. */
export const receiptsBy: Readonly<Record<string, string>> = {
  whatsapp: 'TOCSIN_WHATSAPP_APP_SECRET',
  sms: 'TOCSIN_SMS_RECEIPT_SECRET',
  twilio: 'TOCSIN_PUBLIC_URL',
};

/** What goes to the provider beside the address, by the name of the channel. */
export const receiptHints: Readonly<Record<string, string>> = {
  whatsapp:
    'Enter it as the callback address of the Meta app’s webhook, with the word of TOCSIN_WHATSAPP_VERIFY_TOKEN.',
  sms: 'Enter it at the gateway, with the secret of TOCSIN_SMS_RECEIPT_SECRET at its end.',
  twilio: 'Twilio is told it with every message.',
};

interface Fate {
  fate: string | null;
  attempts: number;
  address: string;
  provider: string;
  providerAnswer: string;
}

/** What became of a test message, for the person who sent it. */
export function fateWords({ fate, attempts, address, provider, providerAnswer }: Fate): string {
  const said = providerAnswer === '' ? '' : ` ${provider} said: ${providerAnswer}`;
  switch (fate) {
    case 'queued':
      return attempts === 0
        ? `On its way to ${address}.`
        : `Tried ${timesWords(attempts)}, and will be tried again.${said}`;
    case 'delivered':
      return `Delivered to ${address}.`;
    case 'sent':
      return `Sent to ${address}.`;
    case 'kept':
      return `Kept in the built-in outbox for ${address}: nothing left this server.`;
    default:
      return `Given up.${said || ' The provider did not say why.'}`;
  }
}
