/** The settings by which each way to reach people is set up, as docs/channels.md names them. */
export const setUpBy: Readonly<Record<number, string>> = {
  1: 'SMTP_URL',
  2: 'TOCSIN_WHATSAPP_TOKEN',
  3: 'TOCSIN_SMS_URL or TOCSIN_TWILIO_ACCOUNT',
  4: 'TOCSIN_PUSH_SUBJECT',
};

interface Fate {
  state: string;
  attempts: number;
  address: string;
  provider: string;
  providerAnswer: string;
}

/** What became of a test message, for the person who sent it. */
export function fateWords(
  { state, attempts, address, provider, providerAnswer }: Fate,
  leavesTheHouse: boolean,
): string {
  const said = providerAnswer === '' ? '' : ` ${provider} said: ${providerAnswer}`;
  switch (state) {
    case 'queued':
      return attempts === 0 ? `On its way to ${address}.` : `Tried ${attempts} times, and will be tried again.${said}`;
    case 'sent':
    case 'delivered':
      return leavesTheHouse
        ? `Sent to ${address}.`
        : `Kept in the built-in outbox for ${address}: nothing left this server.`;
    default:
      return `Given up.${said || ' The provider did not say why.'}`;
  }
}
