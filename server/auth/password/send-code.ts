import type { FastifyRequest } from 'fastify';
import { serviceAccess } from '../../access.ts';
import { randomUuid } from '../../platform/clock.ts';
import { accountByEmail } from '../account.ts';
import type { AuthContext } from '../context.ts';
import { accountKey, addressOf } from '../context.ts';
import { customerOfLogin } from '../customer.ts';
import { secretKey } from '../secrets.ts';
import { issueCode } from './codes.ts';
import { resetMail, verificationMail } from './mails.ts';

export interface CodeRequest {
  email: string;
  tocsin_customer_id?: string | number | null | undefined;
}

type CodeByMail = 'verification' | 'reset';

/**
 * Sends a code if the account exists and is allowed to receive codes. The response does not reveal whether a code was
 * sent: it is sent before the account is looked up, and requests are counted by the typed e-mail address.
 */
export function createCodeSender(context: AuthContext) {
  const { db, clock, log, mailer, limits, background } = context;

  return async function sendCode(request: FastifyRequest, asked: CodeRequest, purpose: CodeByMail): Promise<void> {
    const from = addressOf(request);
    const customer = await db.transaction(serviceAccess(clock), (tx) =>
      customerOfLogin(tx, request.host, asked.tocsin_customer_id),
    );
    await limits.takeCode(accountKey(customer?.uuid, asked.email), from);
    if (customer) background.start('sending a code', () => send(customer.uuid, asked.email, purpose, from));
  };

  async function send(customerUuid: string, email: string, purpose: CodeByMail, from: string): Promise<void> {
    const key = await secretKey(db, clock, 'one-time-code');
    const issued = await db.transaction(serviceAccess(clock), async (tx) => {
      const account = await accountByEmail(tx, customerUuid, email);
      if (!account?.active || (purpose === 'verification' && account.varified)) return null;
      const code = await issueCode(tx, key, account.uuid, purpose);
      if (!code) {
        log.warn('a code was not sent: the account has reached its daily limit', { user: account.uuid });
        return null;
      }
      if (purpose === 'reset') {
        const asker = 'Someone who was not signed in';
        await tx.query('select tocsin_private.record_request($1, $2, $3, $4)', [
          'password_code',
          account.uuid,
          asker,
          from,
        ]);
      }
      return { account, code: code.code };
    });
    if (!issued) return;
    const { account, code } = issued;
    const mail = purpose === 'reset' ? resetMail(account, code) : verificationMail(account, code);
    const result = await mailer.send({
      ...mail,
      customerUuid,
      address: account.email,
      idempotencyKey: randomUuid(),
    });
    // Failed mails are not retried: the code would expire in the meantime, and the user can request another code.
    if ('because' in result) log.warn('a code was not sent', { user: account.uuid, because: result.because });
  }
}
