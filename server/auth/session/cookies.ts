import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_LIFE_MS } from './device.ts';
import { SESSION_ABSOLUTE_MS } from './session.ts';

export const SESSION_COOKIE = 'tocsin_session';
export const DEVICE_COOKIE = 'tocsin_device';
export const XSRF_COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'x-xsrf-token';

/** With `auto`, cookies are Secure if the request came over TLS, as reported by the trusted proxies. */
export type SecureCookies = 'auto' | boolean;

function attributes(request: FastifyRequest, secureCookies: SecureCookies) {
  return {
    path: '/',
    sameSite: 'lax',
    secure: secureCookies === 'auto' ? request.protocol === 'https' : secureCookies,
    maxAge: SESSION_ABSOLUTE_MS / 1000,
  } as const;
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, secure: SecureCookies, token: string) {
  reply.setCookie(SESSION_COOKIE, token, { ...attributes(request, secure), httpOnly: true });
}

/** Sets the XSRF cookie. It is not HttpOnly, because the console's script reads it and sends it back as a header. */
export function setXsrfCookie(request: FastifyRequest, reply: FastifyReply, secure: SecureCookies, token: string) {
  reply.setCookie(XSRF_COOKIE, token, { ...attributes(request, secure), httpOnly: false });
}

/** Sets the cookie of known devices. The cookie outlives sessions, and browsers send it only to the auth calls. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, secure: SecureCookies, value: string) {
  reply.setCookie(DEVICE_COOKIE, value, {
    ...attributes(request, secure),
    path: '/api/v1/auth',
    maxAge: DEVICE_LIFE_MS / 1000,
    httpOnly: true,
  });
}

export function clearCookies(reply: FastifyReply) {
  reply.clearCookie(SESSION_COOKIE, { path: '/' }).clearCookie(XSRF_COOKIE, { path: '/' });
}
