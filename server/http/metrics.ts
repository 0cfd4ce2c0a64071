import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { METHOD, type MethodType, methodNames } from '../../domain/notification/methods.ts';
import { serviceAccess } from '../access.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { notFound } from '../platform/http.ts';
import { exposition, type GaugeSample, type Labels, type Metrics } from '../platform/metrics.ts';
import { ProductClock } from '../platform/product-clock.ts';

interface MetricsParts {
  metrics: Metrics;
  db: Database;
  clock: Clock;
  token: string | undefined;
}

/** Registers `GET /metrics`. It returns 404 if no token is configured or the request has a wrong token. */
export function registerMetrics(app: FastifyInstance, { metrics, db, clock, token }: MetricsParts): void {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const wanted = token === undefined ? undefined : digest(`Bearer ${token}`);
  app.get('/metrics', async (request, reply) => {
    const given = digest(request.headers.authorization ?? '');
    if (!wanted || !timingSafeEqual(given, wanted)) return notFound(reply);
    // If the database is unreachable, a metric reports this, and the other metrics are still returned.
    const moment = await readMoment(db, clock).catch(() => [gauge('tocsin_database_up', 0)]);
    const difference =
      clock instanceof ProductClock ? [gauge('tocsin_clock_difference_seconds', clock.difference / 1000)] : [];
    const memory = gauge('process_resident_memory_bytes', process.memoryUsage().rss);
    reply.header('cache-control', 'no-store').type(metrics.registry.contentType);
    return exposition(metrics, [...moment, ...difference, memory]);
  });
}

function gauge(name: string, value: number, labels: Labels = {}): GaugeSample {
  return { name, labels, value };
}

/** Reads the gauges for all customers from the database. They are the same for all processes of an installation. */
async function readMoment(db: Database, clock: Clock): Promise<GaugeSample[]> {
  const now = clock.now();
  return db.transaction(serviceAccess(clock), async (tx) => {
    const [messages, failed, alarms, behind] = await Promise.all([
      tx.query<{ method: MethodType; due: number; seconds: number }>(
        `select method_type as method, count(*)::int as due, extract(epoch from $1 - min(next_attempt_at))::float8 as seconds
         from tocsin.notification where state = 'queued' and next_attempt_at <= $1 group by 1`,
        [now],
      ),
      tx.query<{ method: MethodType; count: number }>(
        `select method_type as method, count(*)::int as count from tocsin.notification
         where state = 'failed' and notify_time > $1::timestamptz - interval '1 hour' group by 1`,
        [now],
      ),
      tx.query<{ severity: string; open: number; unacknowledged: number }>(
        `select severity, count(*)::int as open, count(*) filter (where must_acknowledge and reason is null)::int as unacknowledged
         from tocsin.alarm where resolved_date is null group by 1`,
      ),
      tx.query<{ debounces: number | null; rollups: number | null }>(
        `select (select extract(epoch from $1 - min(due_at))::float8 from tocsin_private.rule_state where due_at <= $1) as debounces,
           (select extract(epoch from $1 - at)::float8 from tocsin_private.milestone where name = 'rolled-up') as rollups`,
        [now],
      ),
    ]);
    const unacknowledged = alarms.rows.reduce((sum, row) => sum + row.unacknowledged, 0);
    const { debounces, rollups } = behind.rows[0] ?? {};
    // Includes methods that have no waiting notifications, because a missing metric would look like a failed scrape.
    const waiting = Object.values(METHOD).map(
      (method) => messages.rows.find((row) => row.method === method) ?? { method, due: 0, seconds: 0 },
    );
    const labels = (method: MethodType) => ({ channel: methodNames[method] });
    return [
      gauge('tocsin_database_up', 1),
      ...waiting.map(({ method, due }) => gauge('tocsin_messages_due', due, labels(method))),
      ...waiting.map(({ method, seconds }) => gauge('tocsin_messages_due_seconds', seconds, labels(method))),
      ...failed.rows.map(({ method, count }) => gauge('tocsin_messages_failed_last_hour', count, labels(method))),
      ...alarms.rows.map(({ severity, open }) => gauge('tocsin_alarms_open', open, { severity })),
      gauge('tocsin_alarms_unacknowledged', unacknowledged),
      gauge('tocsin_debounces_overdue_seconds', debounces ?? 0),
      gauge('tocsin_rollups_behind_seconds', rollups ?? 0),
    ];
  });
}
