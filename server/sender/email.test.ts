import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { startSmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { silentLog } from '../platform/log.ts';
import { createEmailSender, explainFailure } from './email.ts';
import type { Message, Sender } from './sender.ts';

const message: Message = {
  customerUuid: '00000000-0000-0000-0000-000000000001',
  address: 'vera@plant.example',
  subject: 'Tank 4 ist übervoll',
  text: 'Grüße aus dem Werk.\n\nA line that is long enough to be folded on its way, because mail knows lines of 76 characters only.',
  html: '<p>Grüße aus dem <b>Werk</b>.</p>',
  idempotencyKey: 'note-17',
};

const senderAt = (smtpUrl: string, timeouts?: { connectMs: number; idleMs: number }) =>
  createEmailSender({ smtpUrl, from: 'Tocsin <alarm@tocsin.example>', log: silentLog, ...(timeouts && { timeouts }) });

describe('e-mail', () => {
  let smtp: SmtpCatcher;
  let sender: Sender;

  beforeAll(async () => {
    smtp = await startSmtpCatcher();
    sender = senderAt(smtp.url);
  });
  afterEach(() => {
    smtp.failWith(null);
    smtp.clear();
  });
  afterAll(async () => {
    await sender.close();
    await smtp.stop();
  });

  test('arrives as text and HTML with its subject', async () => {
    expect(await sender.send(message)).toMatchObject({ outcome: 'sent', providerId: '<note-17@tocsin.example>' });
    const mail = await smtp.waitFor(({ to }) => to.includes('vera@plant.example'));
    expect(mail).toMatchObject({ from: 'alarm@tocsin.example', subject: message.subject, text: message.text });
    expect(mail.html).toBe(message.html);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.headers.get('message-id')).toBe('<note-17@tocsin.example>');
  });

  test('goes to one address even if it contains a comma', async () => {
    expect(await sender.send({ ...message, address: 'vera,eve@plant.example' })).toMatchObject({ outcome: 'sent' });
    expect(smtp.messages.map(({ to }) => to)).toEqual([['"vera,eve"@plant.example']]);
  });

  test.each(['', 'vera', 'vera@', 'a b@plant.example', 'vera@plant.example\r\nRCPT TO:<eve@plant.example>'])(
    'is not sent to %j',
    async (address) => {
      expect(sender.checkAddress(address)).toMatch(/not an e-mail address/);
      expect(await sender.send({ ...message, address })).toMatchObject({ outcome: 'give-up' });
      expect(smtp.messages).toEqual([]);
    },
  );

  test.each([
    [450, 'recipient', 'retry'],
    [451, 'data', 'retry'],
    [550, 'recipient', 'give-up'],
    [554, 'data', 'give-up'],
  ] as const)('maps a %i at the %s to %s', async (code, at, outcome) => {
    smtp.failWith(code, at);
    const result = await sender.send(message);
    expect(result).toMatchObject({ outcome });
    expect('because' in result && result.because).toMatch(
      new RegExp(`did not accept the message. Its response: ${code} `),
    );
    expect(smtp.refused).toBe(1);
    smtp.failWith(null);
    expect(await sender.send(message)).toMatchObject({ outcome: 'sent' });
  });

  test('is healthy when the server responds', async () => {
    expect(await sender.check()).toEqual({ ok: true });
  });
});

describe('an e-mail that cannot be sent', () => {
  test('is retried when nothing listens at the address', async () => {
    const smtp = await startSmtpCatcher();
    await smtp.stop();
    const sender = senderAt(smtp.url);
    expect(await sender.send(message)).toMatchObject({ outcome: 'retry', because: expect.stringMatching(/reached/) });
    expect(await sender.check()).toMatchObject({ ok: false, problem: expect.stringMatching(/cannot be reached/) });
    await sender.close();
  });

  test('is retried when the server never responds', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const sender = senderAt(`smtp://127.0.0.1:${port}`, { connectMs: 200, idleMs: 200 });
    expect(await sender.send(message)).toEqual({
      outcome: 'retry',
      because: 'The mail server did not reply in time.',
    });
    await sender.close();
    silent.close();
  });

  test('is retried after a refused sign-in', () => {
    const error = Object.assign(new Error('Invalid login'), {
      code: 'EAUTH',
      responseCode: 535,
      permanent: true,
      response: '535 5.7.8 no',
    });
    expect(explainFailure(error)).toEqual({
      outcome: 'retry',
      because: 'The mail server refused the sign-in of this server. Its response: 535 5.7.8 no',
    });
  });
});
