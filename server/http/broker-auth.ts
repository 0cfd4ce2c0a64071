import type { FastifyInstance } from 'fastify';
import {
  type BrokerAccess,
  type BrokerFields,
  mayConnect,
  mayUseResource,
  mayUseTopic,
  mayUseVirtualHost,
} from '../../domain/broker/access.ts';
import { countVisitor, meaningOf } from '../gateway/answers.ts';
import { Complaints } from '../gateway/complaints.ts';
import type { Intake } from '../pipeline/intake.ts';
import type { Clock } from '../platform/clock.ts';
import { notFound } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { sameSecret } from '../sender/receipt/receipt.ts';

export interface BrokerAuthOptions {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  /** Secret part of the URL, known only to RabbitMQ. */
  secret: string;
  /** User name with which Tocsin connects. RabbitMQ authenticates this user itself, without these routes. */
  serviceUser: string;
  virtualHost: string;
}

const MOST_BYTES = 16_384;

/**
 * Registers `/api/v1/broker/<secret>/user`, `vhost`, `resource` and `topic` for RabbitMQ's HTTP authentication.
 * RabbitMQ posts a form and receives `allow` or `deny`. A wrong secret gets 404. Tokens are never logged.
 */
export async function registerBrokerAuth(app: FastifyInstance, options: BrokerAuthOptions): Promise<void> {
  const { intake, log, metrics, clock, serviceUser, virtualHost } = options;
  const complaints = new Complaints(log, intake, clock);

  const decide: Record<string, (fields: BrokerFields) => BrokerAccess> = {
    vhost: (fields) => mayUseVirtualHost(fields, virtualHost),
    resource: mayUseResource,
    topic: mayUseTopic,
  };
  const answer = (access: BrokerAccess, uid: string): string => {
    if (access.allowed) return 'allow';
    countVisitor(metrics, 'mqtt', access.because);
    complaints.say({ uid }, access.because, access.sentence);
    return 'deny';
  };

  await app.register(async (scope) => {
    // RabbitMQ sends only forms, and all fields of a form are strings.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MOST_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.post<{ Params: { secret: string; question: string }; Body: BrokerFields | undefined }>(
      '/api/v1/broker/:secret/:question',
      async (request, reply) => {
        const { secret, question } = request.params;
        if (!sameSecret(secret, options.secret)) return notFound(reply);
        reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8');
        const fields = request.body ?? {};
        const { username: uid = '', password: token } = fields;
        if (uid === '' || uid === serviceUser) return 'deny';
        if (question !== 'user') {
          const known = decide[question];
          return known ? answer(known(fields), uid) : notFound(reply);
        }
        const access = mayConnect(fields);
        if (!access.allowed) return answer(access, uid);
        if (!token) return 'deny';
        const who = await intake.identify(uid, token);
        if (who.ok) {
          countVisitor(metrics, 'mqtt', 'signed-in');
          return 'allow';
        }
        countVisitor(metrics, 'mqtt', who.because);
        // A 503 response makes RabbitMQ refuse the connection, and the device tries again later.
        if (meaningOf(who.because).kind === 'later') return reply.code(503).send(who.sentence);
        complaints.say({ uid, token }, who.because, who.sentence);
        return 'deny';
      },
    );
  });
}
