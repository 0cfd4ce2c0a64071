import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthUser } from '../../../domain/auth-user.ts';
import { serviceAccess } from '../../access.ts';
import type { Transaction } from '../../platform/database.ts';
import { accountByEmail } from '../account.ts';
import type { LoginBody } from '../bodies.ts';
import { loginBody, readPassword } from '../bodies.ts';
import type { AuthContext } from '../context.ts';
import { accountKey, addressOf } from '../context.ts';
import { customerOfLogin } from '../customer.ts';
import { HttpRefusal } from '../errors.ts';
import type { SignInAttempt } from '../limits.ts';
import { secretKey } from '../secrets.ts';
import { readAuthUser } from './auth-user.ts';
import {
  clearCookies,
  DEVICE_COOKIE,
  SESSION_COOKIE,
  setDeviceCookie,
  setSessionCookie,
  setXsrfCookie,
  XSRF_COOKIE,
} from './cookies.ts';
import { knownDevice, rememberDevice } from './device.ts';
import { identify, requireXsrfOfSignedIn } from './guards.ts';
import { endSession, sessionHash, startSession } from './session.ts';
import { makeXsrfToken, xsrfTokenFits } from './xsrf.ts';

/** The demo visitor of the specification's bypass call, in customer 3 of partner 2. */
const BYPASS = { email: 'bypass@demo.example', customerId: 3, partnerId: 2 } as const;

/**
 * Message for an unknown account, a wrong password, another customer's user and a disabled user. It is the same in all
 * cases, so that it does not reveal whether the account exists.
 */
const wrongLogin = () => new HttpRefusal(401, 'The e-mail address or the password is wrong.');

/** Registers the calls for sign-in, sign-out and the login status. */
export function sessionRoutes(app: FastifyInstance, context: AuthContext): void {
  const { db, clock, limits, passwords, secureCookies, trail } = context;
  const visitor = { preHandler: requireXsrfOfSignedIn(context) };

  app.get('/api/v1/auth/login', async (request, reply) => {
    const signedIn = await identify(context, request);
    const user =
      signedIn && (await db.transaction(serviceAccess(clock), (tx) => readAuthUser(tx, signedIn.person.uuid)));
    if (!user) {
      if (request.cookies[SESSION_COOKIE] !== undefined) clearCookies(reply);
      return { loggedIn: false, user: null };
    }
    const key = await secretKey(db, clock, 'xsrf');
    if (!xsrfTokenFits(key, signedIn.tokenHash, request.cookies[XSRF_COOKIE])) {
      setXsrfCookie(request, reply, secureCookies, makeXsrfToken(key, signedIn.tokenHash));
    }
    return { loggedIn: true, user };
  });

  app.post<{ Body: LoginBody }>(
    '/api/v1/auth/login',
    { ...visitor, schema: { body: loginBody } },
    async (request, reply) => {
      const { email, tocsin_customer_id: customerId } = request.body;
      const password = readPassword(request.body.password, 'password');
      const deviceKey = await secretKey(db, clock, 'device');
      const { customer, account } = await db.transaction(serviceAccess(clock), async (tx) => {
        const customer = await customerOfLogin(tx, request.host, customerId);
        return { customer, account: customer && (await accountByEmail(tx, customer.uuid, email)) };
      });
      const cookie = request.cookies[DEVICE_COOKIE];
      const attempt: SignInAttempt = {
        account: accountKey(customer?.uuid, email),
        address: addressOf(request),
        device: knownDevice(deviceKey, cookie, account, clock.now()),
      };
      try {
        await limits.checkSignIn(attempt);
        const turn = limits.turnOfSignIn(attempt);
        const matches = await passwords.verify(account?.active ? account.passwordHash : null, password, turn);
        if (!matches || !account) throw wrongLogin();
      } catch (error) {
        trail.recordFailure(context.background, account?.uuid, request);
        throw error;
      }
      if (!account.varified) {
        const { uuid, username, displayName: display_name } = account;
        throw new HttpRefusal(403, 'Your e-mail address is not confirmed yet. Confirm it with the code we send you.', {
          fields: { user: { uuid, email: account.email, username, display_name } },
        });
      }
      const user = await open(request, reply, async (tx) => {
        // Locks the user until the session exists, so that a concurrent password change or disabling of the user ends
        // this session too.
        const { rowCount } = await tx.query(
          `select from tocsin.user u join tocsin_private.credential k on k.user_uuid = u.uuid
           where u.uuid = $1 and u.status and k.password_hash = $2 for share of u, k`,
          [account.uuid, account.passwordHash],
        );
        return rowCount === 1 ? account.uuid : null;
      });
      if (!user) throw wrongLogin();
      setDeviceCookie(request, reply, secureCookies, rememberDevice(deviceKey, cookie, account, clock.now()));
      return { ...user, message: 'You are signed in.' };
    },
  );

  app.post('/api/v1/auth/logout', visitor, async (request, reply) => {
    const { signedIn } = request;
    if (signedIn) {
      await db.transaction(serviceAccess(clock), async (tx) => {
        await endSession(tx, signedIn.tokenHash);
        await trail.record(tx, 'sign_out', signedIn.person.uuid, request);
      });
    }
    clearCookies(reply);
    return { message: 'You are signed out.' };
  });

  if (context.demo) {
    app.post('/api/v1/auth/bypass', visitor, async (request, reply) => {
      const user = await open(request, reply, async (tx) => {
        const { rows } = await tx.query<{ uuid: string }>(
          `select u.uuid from tocsin.user u join tocsin.customer c on c.uuid = u.tocsin_customer_uuid
           where c.id = $1 and c.tocsin_partner_id = $2 and tocsin_private.email_key(u.email) = $3 and u.status and c.status = 1`,
          [BYPASS.customerId, BYPASS.partnerId, BYPASS.email],
        );
        return rows[0]?.uuid ?? null;
      });
      if (!user) throw new HttpRefusal(404, 'This demo has no visitor account.');
      return { ...user, message: 'You are signed in.' };
    });
  }

  /** Replaces the browser's session with a new session for the user that `choose` returns. */
  async function open(
    request: FastifyRequest,
    reply: FastifyReply,
    choose: (tx: Transaction) => Promise<string | null>,
  ): Promise<AuthUser | null> {
    const key = await secretKey(db, clock, 'xsrf');
    const opened = await db.transaction(serviceAccess(clock), async (tx) => {
      const userUuid = await choose(tx);
      if (userUuid === null) return null;
      const before = sessionHash(request.cookies[SESSION_COOKIE]);
      if (before) await endSession(tx, before);
      const token = await startSession(tx, {
        userUuid,
        address: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
      });
      await trail.record(tx, 'sign_in', userUuid, request);
      const user = await readAuthUser(tx, userUuid);
      return user && { token, user };
    });
    if (!opened) return null;
    setSessionCookie(request, reply, secureCookies, opened.token);
    setXsrfCookie(request, reply, secureCookies, makeXsrfToken(key, sessionHash(opened.token)!));
    return opened.user;
  }
}
