import { timesWords } from '../../../domain/plural.ts';

/** What the administrator needs before a method can send. The texts are for people without technical knowledge. */
interface Setup {
  needs: readonly string[];
  /** Titles of the sections in docs/senders.md that describe how to set up the method. */
  sections: readonly string[];
}

/** Requirements, keyed by method: 1 e-mail, 2 WhatsApp, 3 SMS, 4 app push. */
export const setups: Readonly<Record<number, Setup>> = {
  1: {
    needs: [
      'The address, user name and password of a mail server that sends for your company',
      'The sender address that people see, such as alarm@company.com',
    ],
    sections: ['E-mail'],
  },
  2: {
    needs: [
      'A WhatsApp Business number with its phone number ID',
      'A permanent access token of the Meta app that owns the number',
      'Approved message templates, which WhatsApp requires for a first message',
    ],
    sections: ['WhatsApp'],
  },
  3: {
    needs: ['An SMS gateway that accepts messages over HTTP, or an account with Twilio', 'A sender number or name'],
    sections: ['SMS through a gateway', 'SMS through Twilio'],
  },
  4: {
    needs: ['A contact address at your company, which browser push services require (the services are free)'],
    sections: ['App push'],
  },
};

/** Returns a text that a manager can send to the administrator to request that a method be set up. */
export function requestText(title: string, { needs, sections }: Setup): string {
  return [
    `Please set up ${title} in Tocsin. You need:`,
    ...needs.map((need) => `- ${need}`),
    `Instructions: docs/senders.md of the installation, ${sections.map((name) => `“${name}”`).join(' or ')}.`,
  ].join('\n');
}

/** Names of the senders whose provider can send delivery receipts. E-mail and push have no delivery receipts. */
export const reportsDeliveries: ReadonlySet<string> = new Set(['whatsapp', 'sms', 'twilio']);

/** Hints on what to do with the address for delivery receipts, keyed by sender name. */
export const receiptHints: Readonly<Record<string, string>> = {
  whatsapp: 'The administrator enters this address as the callback address of the Meta app’s webhook.',
  sms: 'The administrator enters this address at the SMS gateway and appends the secret for receipts.',
  twilio: 'Tocsin sends this address to Twilio with every message.',
};

/** Hints on what to do with the address for answers, keyed by sender name. */
export const answerHints: Readonly<Record<string, string>> = {
  whatsapp: 'WhatsApp delivers answers to the webhook for receipts.',
  sms: 'The administrator lets the SMS gateway post every SMS to this address, with the proof that docs/senders.md describes.',
  twilio: 'The administrator enters this address at the Twilio number, under “A message comes in”.',
};

interface TestMessageState {
  shownState: string | null;
  attempts: number;
  address: string;
  provider: string;
  providerAnswer: string;
}

/** Returns the state of a test message as text for the user who sent it. */
export function testMessageText({ shownState, attempts, address, provider, providerAnswer }: TestMessageState): string {
  const said = providerAnswer === '' ? '' : ` ${provider} said: ${providerAnswer}`;
  switch (shownState) {
    case 'queued':
      return attempts === 0
        ? `On its way to ${address}.`
        : `Tried ${timesWords(attempts)}. Tocsin will try again.${said}`;
    case 'delivered':
      return `Delivered to ${address}.`;
    case 'sent':
      return `Sent to ${address}.`;
    case 'kept':
      return `Not sent. The message for ${address} is in the built-in outbox.`;
    default:
      return `Delivery failed.${said || ' The provider gave no reason.'}`;
  }
}
