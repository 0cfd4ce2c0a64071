import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sentenceOf } from '../../domain/field-sentences.ts';
import { levelWords, UNIT_OFFICE } from '../../domain/group-level.ts';
import { methodTitle } from '../../domain/notification/methods.ts';
import { can } from '../../domain/permission.ts';
import { daysOf, periodsUntil } from '../../domain/report/health-periods.ts';
import { causeWords, performanceFilterNames } from '../../domain/report/performance.ts';
import { rangeWords } from '../../domain/report/range.ts';
import { messageKinds, stateFilterName } from '../../domain/report/shown-state.ts';
import { severityNames } from '../../domain/rule/priority.ts';
import { type Person, personAccess } from '../access.ts';
import { answerRefusal, HttpRefusal } from '../auth/errors.ts';
import { type GuardDeps, requirePerson } from '../auth/session/guards.ts';
import type { Database } from '../platform/database.ts';
import { csvOf } from './csv.ts';
import { type ReportParameters, readParameters, rejectUnknownParameters } from './parameters.ts';
import { reports } from './reports.ts';
import { narrowedFileName, type ReportTable, siteFileName, writeTime } from './table.ts';

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const;

/**
 * Registers `GET /api/v1/reports/<report>.<csv|xlsx|pdf>`, which accepts the same parameters as the report's page in
 * the console. Queries run with the permissions of the signed-in user.
 */
export async function registerReports(app: FastifyInstance, deps: GuardDeps): Promise<void> {
  const { db, clock } = deps;
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      // If the query for the first row fails, the headers for the download may already be set.
      reply.removeHeader('content-disposition').type('application/json; charset=utf-8');
      return answerRefusal(toClientError(error), request, reply);
    });
    scope.get<{ Params: { file: string }; Querystring: Record<string, unknown> }>(
      '/api/v1/reports/:file',
      { preHandler: requirePerson(deps) },
      async ({ params, query, person: asking }, reply) => {
        const person = asking as Person;
        const [, name = '', format = ''] = /^([a-z-]+)\.(csv|xlsx|pdf)$/.exec(params.file) ?? [];
        const make = Object.hasOwn(reports, name) ? reports[name] : undefined;
        if (!make)
          throw new HttpRefusal(
            404,
            `There is no such report. The reports are ${Object.keys(reports).join(', ')}, each as .csv, .xlsx and .pdf.`,
          );
        if (!can(person, 'alarm.read')) throw new HttpRefusal(403, 'Partner accounts cannot view reports.');
        rejectUnknownParameters(name, query);
        const ask = queryAs(db, person, deps);
        const [customer] = await ask(
          'select name, time_zone, group2_name, group3_name, group4_name, group5_name from tocsin.customer',
          [],
        );
        const office = levelWords(UNIT_OFFICE, customer);
        const now = clock.now();
        const parameters = readParameters(query, now, customer.time_zone);
        const made = await make({ parameters, timeZone: customer.time_zone, office, now, query: ask });
        const isByMonth = name.startsWith('health') && parameters.each === 'month';
        const range = isByMonth
          ? daysOf(
              periodsUntil('month', parameters.until, customer.time_zone, parameters.untilIsOver),
              customer.time_zone,
            )
          : parameters.range;
        const days =
          name.startsWith('health') && !isByMonth ? parameters.untilDay : `${range.firstDay}-to-${range.lastDay}`;
        const about = await describeFilters(name, { ...parameters, range }, customer.time_zone, ask);
        // If the report is about one site, the file name includes the site ID.
        const narrowed = made.site ? siteFileName(made.site) : narrowedFileName(about.narrowed);
        const by = [made.rowsBy && `by-${parameters.by}`, isByMonth && 'months'].filter(Boolean).join('-');
        const called = ['tocsin', name, by, narrowed, days].filter(Boolean).join('-');
        const table: ReportTable = {
          ...made,
          name,
          about: [about.days, ...about.narrowed].join(', '),
          timeZone: customer.time_zone,
        };
        reply
          .type(types[format as keyof typeof types])
          .header('content-disposition', `attachment; filename="${called}.${format}"`)
          .header('cache-control', 'no-store');
        if (format === 'csv') return reply.send(Readable.from(csvOf(table)));
        // The libraries for XLSX and PDF are large, so they are loaded only when needed.
        if (format === 'xlsx') return reply.send(Readable.fromWeb((await import('./xlsx.ts')).xlsxOf(table)));
        return reply.send(await (await import('./pdf.ts')).pdfOf({ table, customer: customer.name, made: now }));
      },
    );
  });
}

type Ask = (text: string, values: readonly unknown[]) => Promise<any[]>;

function queryAs(db: Database, person: Person, { clock }: GuardDeps): Ask {
  return async (text, values) =>
    (await db.transaction(personAccess(person, clock), (tx) => tx.query(text, values))).rows;
}

/** Converts a database error with code TC400 into a client error with status 400. */
function toClientError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'TC400' && message ? new HttpRefusal(400, sentenceOf(message)) : error;
}

/** Describes the date range and the filters, for the PDF heading and the file name. */
async function describeFilters(
  name: string,
  parameters: Omit<ReportParameters, 'range'> & { range: Parameters<typeof rangeWords>[0] },
  timeZone: string,
  ask: Ask,
): Promise<{ days: string; narrowed: string[] }> {
  const { range, office, site, untilDay, rule, reason, must, method, state, kind, person, search } = parameters;
  const { only, cause, severity, recipient, between } = parameters;
  const [names] = await ask(
    `select (select g.name from tocsin.group g where g.uuid = $1) as office, (select s.name from tocsin.site s where s.uuid = $2) as site,
       (select r.name from tocsin.rule r where r.uuid = $3) as rule, (select u.display_name from tocsin.user u where u.uuid = $4) as recipient`,
    [office, site, rule, recipient],
  );
  // Throws for an unknown unit office or site, because an empty report would be misleading.
  if (office !== null && names.office === null)
    throw new HttpRefusal(404, 'There is no such unit office. Choose one in the report.');
  if (site !== null && names.site === null)
    throw new HttpRefusal(404, 'There is no such site. Choose one in the report.');
  const days = name.startsWith('health')
    ? parameters.each === 'month'
      ? `Twelve whole months, ${rangeWords(range)}`
      : `Twelve weeks before ${rangeWords({ firstDay: untilDay, lastDay: untilDay })}, plus that day`
    : `${rangeWords(range)}${name === 'sms' ? ', sent via a provider' : ''}`;
  const minute = (at: Date) => writeTime(at, timeZone).slice(0, 16);
  const narrowed = [
    between && `${minute(between.from)} to ${minute(between.to)}`,
    names.office,
    names.site,
    names.rule && `rule ${names.rule}`,
    must ? 'not acknowledged' : reason === '' ? 'without a reason' : reason && `reason ${reason}`,
    only && (cause === null ? performanceFilterNames[only] : causeWords({ kind: only, cause })).toLowerCase(),
    severity && severityNames[severity].toLowerCase(),
    recipient && `recipient ${names.recipient ?? 'deleted'}`,
    method && methodTitle(method),
    state && stateFilterName(state).toLowerCase(),
    kind && `about ${messageKinds[kind]?.toLowerCase()}`,
    person && `to ${person}`,
    search && `with “${search}”`,
  ];
  return { days, narrowed: narrowed.filter(Boolean) };
}
