import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PasswordOwner } from '../../../domain/password.ts';
import { checkPassword } from '../../../domain/password.ts';
import { serviceAccess } from '../../access.ts';
import type { Transaction } from '../../platform/database.ts';
import type { Account } from '../account.ts';
import { accountByEmail, accountByUuid, markVerified, onBehalfOf, setPassword } from '../account.ts';
import type {
  ChangePasswordBody,
  CodeFormBody,
  ForgotBody,
  InvitationBody,
  UpdateBody,
  VerifyBody,
} from '../bodies.ts';
import {
  changePasswordBody,
  codeFormBody,
  forgotBody,
  invitationBody,
  isUuid,
  readCode,
  readNewPassword,
  readPassword,
  updateBody,
  verifyBody,
} from '../bodies.ts';
import type { AuthContext } from '../context.ts';
import { accountKey, addressOf } from '../context.ts';
import { customerOfLogin } from '../customer.ts';
import { signInElsewhere } from '../customer-url.ts';
import { HttpRefusal } from '../errors.ts';
import { secretKey } from '../secrets.ts';
import { clearCookies, DEVICE_COOKIE, setDeviceCookie } from '../session/cookies.ts';
import { rememberDevice } from '../session/device.ts';
import { requirePerson, requireXsrf, requireXsrfOfSignedIn } from '../session/guards.ts';
import type { CodePurpose } from './codes.ts';
import { findCode, tryCode, useCode } from './codes.ts';
import { isCommonPassword } from './common-password.ts';
import { createCodeSender } from './send-code.ts';

/**
 * Message for a wrong, expired, used or revoked code and for an unknown account. It is the same in all cases, so that
 * it does not reveal whether the account exists.
 */
const wrongCode = () => new HttpRefusal(400, 'This code is wrong or has expired. Request a new one.');

const NEW_PASSWORD_SET = 'Your new password is set.';

/** Registers the calls that send codes or set a password. */
export function passwordRoutes(app: FastifyInstance, context: AuthContext): void {
  const { db, clock, limits, passwords } = context;
  const sendCode = createCodeSender(context);
  const visitor = { preHandler: requireXsrfOfSignedIn(context) };

  app.post<{ Body: VerifyBody }>(
    '/api/v1/auth/verify',
    { ...visitor, schema: { body: verifyBody } },
    async (request) => {
      await sendCode(request, request.body, 'verification');
      return { message: 'If this account is waiting for confirmation, we have sent a code to its e-mail address.' };
    },
  );

  app.post<{ Body: ForgotBody }>(
    '/api/v1/auth/forgot',
    { ...visitor, schema: { body: forgotBody } },
    async (request) => {
      await sendCode(request, request.body, 'reset');
      return { message: 'If an account with this e-mail address exists, we have sent a code to it.', sent: true };
    },
  );

  const redeemForm =
    (purpose: CodePurpose, done: (account: Account) => { message: string; next: string }) =>
    async (request: FastifyRequest<{ Body: CodeFormBody }>, reply: FastifyReply) => {
      const form = request.body;
      const account = await redeem(request, reply, purpose, readCode(form), readNewPassword(form), (tx) =>
        isUuid(form.uuid) ? accountByUuid(tx, form.uuid) : Promise.resolve(null),
      );
      const { message, next } = done(account);
      const elsewhere = await db.transaction(serviceAccess(clock), (tx) =>
        signInElsewhere(tx, { account, host: request.host, publicUrl: context.publicUrl(request) }),
      );
      // The sign-in form needs the e-mail address in the next step. A client that sent a valid code is allowed to see
      // it.
      return {
        message: `${message} ${elsewhere?.sentence ?? next}`,
        email: account.email,
        ...(elsewhere && { sign_in_url: elsewhere.url }),
      };
    };

  app.post<{ Body: CodeFormBody }>(
    '/api/v1/auth/register',
    { ...visitor, schema: { body: codeFormBody } },
    redeemForm('verification', () => ({
      message: 'Your e-mail address is confirmed and the new password is set.',
      next: 'Sign in with the new password.',
    })),
  );

  app.post<{ Body: CodeFormBody }>(
    '/api/v1/auth/activate',
    { ...visitor, schema: { body: codeFormBody } },
    // A verified user resets a password. Any other user activates the account.
    redeemForm('invitation', ({ varified }) =>
      varified
        ? { message: NEW_PASSWORD_SET, next: 'Sign in with the new password.' }
        : { message: 'Your account is active.', next: 'Sign in with your new password.' },
    ),
  );

  app.post<{ Body: InvitationBody }>(
    '/api/v1/auth/invitation',
    { ...visitor, schema: { body: invitationBody } },
    async (request) => {
      const { uuid } = request.body;
      const code = readCode(request.body);
      const key = await secretKey(db, clock, 'one-time-code');
      const found = await limits.findFromAddress(addressOf(request), async (tx) =>
        isUuid(uuid) ? findCode(tx, key, uuid, 'invitation', code) : null,
      );
      // An unknown code gets the same response as an unused code.
      return { used: found?.used ?? false };
    },
  );

  app.post<{ Body: UpdateBody }>(
    '/api/v1/auth/update',
    { ...visitor, schema: { body: updateBody } },
    async (request, reply) => {
      const { email, tocsin_customer_id: customerId } = request.body;
      await redeem(request, reply, 'reset', readCode(request.body), readNewPassword(request.body), async (tx) => {
        const customer = await customerOfLogin(tx, request.host, customerId);
        return customer ? accountByEmail(tx, customer.uuid, email) : null;
      });
      return { message: `${NEW_PASSWORD_SET} Sign in with the new password.` };
    },
  );

  app.post<{ Body: ChangePasswordBody }>(
    '/api/v1/auth/changepassword',
    { schema: { body: changePasswordBody }, preHandler: [requirePerson(context), requireXsrf(context)] },
    async (request, reply) => {
      const { uuid } = request.signedIn!.person;
      const current = readPassword(request.body.ppassword, 'ppassword');
      const password = readNewPassword(request.body);
      if (request.body.uuid.toLowerCase() !== uuid)
        throw new HttpRefusal(403, 'You can change only your own password.');
      const account = await db.transaction(serviceAccess(clock), (tx) => accountByUuid(tx, uuid));
      await refuseBadPassword(password, { email: account?.email, username: account?.username, current });
      const matches = await passwords.verify(account?.passwordHash ?? null, current, limits.turnOfUser(uuid));
      if (!account || !matches) throw new HttpRefusal(400, 'The current password is wrong.');
      const hash = await passwords.hash(password);
      await db.transaction(onBehalfOf(uuid, clock), (tx) => setPassword(tx, uuid, hash));
      clearCookies(reply);
      await keepDevice(request, reply, account, hash);
      return { message: 'Your password has been changed. Sign in with the new one.' };
    },
  );

  /** Checks the code and sets the password. Hashing is expensive, so it happens only after the check. */
  async function redeem(
    request: FastifyRequest,
    reply: FastifyReply,
    purpose: CodePurpose,
    code: string,
    password: string,
    find: (tx: Transaction) => Promise<Account | null>,
  ): Promise<Account> {
    await refuseBadPassword(password);
    const key = await secretKey(db, clock, 'one-time-code');
    const tried = await limits.findFromAddress(addressOf(request), async (tx) => {
      const account = await find(tx);
      const codeUuid = account?.active ? await tryCode(tx, key, account.uuid, purpose, code) : null;
      return account && codeUuid ? { account, codeUuid } : null;
    });
    if (!tried) throw wrongCode();
    const { account, codeUuid } = tried;
    await refuseBadPassword(password, account);
    const hash = await passwords.hash(password);
    const used = await db.transaction(onBehalfOf(account.uuid, clock), async (tx) => {
      if (!(await useCode(tx, codeUuid))) return false;
      await setPassword(tx, account.uuid, hash);
      await markVerified(tx, account.uuid);
      return true;
    });
    if (!used) throw wrongCode();
    await limits.forgetAccount(accountKey(account.customerUuid, account.email));
    await keepDevice(request, reply, account, hash);
    return account;
  }

  /**
   * Makes the device known after a password change. This is safe, because the user has just proved their identity with
   * a mailed code or the current password.
   */
  async function keepDevice(
    request: FastifyRequest,
    reply: FastifyReply,
    before: Account,
    passwordHash: string,
  ): Promise<void> {
    const key = await secretKey(db, clock, 'device');
    const account = { ...before, passwordHash };
    const cookie = rememberDevice(key, request.cookies[DEVICE_COOKIE], account, clock.now(), before);
    setDeviceCookie(request, reply, context.secureCookies, cookie);
  }
}

async function refuseBadPassword(password: string, owner?: PasswordOwner): Promise<void> {
  const verdict = checkPassword(password, owner);
  // The field name tells the form to show the message next to the password field.
  const refuse = (sentence: string) => new HttpRefusal(400, sentence, { fields: { field: 'password' } });
  if (!verdict.ok) throw refuse(verdict.sentence);
  if (await isCommonPassword(password)) {
    throw refuse('This password is easy to guess. Use a few unrelated words.');
  }
}
