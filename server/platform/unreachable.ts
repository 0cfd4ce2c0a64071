/** Thrown if the database cannot be reached or has dropped a connection. Trying again may succeed. */
export class DatabaseUnreachable extends Error {
  readonly code = '08006';
  readonly statusCode = 503;

  constructor(options?: ErrorOptions) {
    super('The database is not responding. Try again in a few seconds.', options);
  }
}

/** Socket errors and failed host name lookups. */
const LOST = /^(ECONN(RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of node-postgres errors that report a lost connection without a code. */
const SAYS_LOST = /^(Connection terminated|Client has encountered a connection error|timeout (expired|exceeded))/;
/**
 * SQLSTATE of the error for a write on a standby. The connection must be replaced: a proxy then connects to the
 * primary.
 */
const READ_ONLY = '25006';

/**
 * Returns whether a connection must not be used again after this error: the connection was lost, the server ended it,
 * or the server accepts no writes. A FATAL error arrives before the socket closes, so the connection may still seem
 * usable.
 */
export function endsConnection(error: unknown): boolean {
  const { code = '', severity, message = '' } = (error ?? {}) as { code?: string; severity?: string; message?: string };
  return severity === 'FATAL' || code === READ_ONLY || LOST.test(code) || SAYS_LOST.test(message);
}

/**
 * SQLSTATE of a cancelled statement, for example after its time limit. In the embedded database this error is FATAL and
 * ends the connection, but trying again would not help.
 */
const CANCELLED = '57014';

/**
 * Converts the error of a lost connection into a DatabaseUnreachable error, after which trying again may succeed.
 * Returns other errors unchanged.
 */
export function asUnreachable(error: unknown): unknown {
  const isCancelled = (error as { code?: string } | undefined)?.code === CANCELLED;
  return endsConnection(error) && !isCancelled ? new DatabaseUnreachable({ cause: error }) : error;
}
