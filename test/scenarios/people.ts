/** Acknowledges and resolves alarms through the API. */
import type { TestBrowser } from '../harness/server/app.ts';

export interface Handled {
  alarm: any;
  refusal: { message: string; field?: string } | undefined;
}

export async function acknowledge(
  browser: TestBrowser,
  uuid: string,
  reason: string,
  more: { acknowledgeText?: string; link?: string } = {},
): Promise<Handled> {
  const { data, errors } = await browser.graphql(
    `mutation ($input: AcknowledgeAlarmInput!) {
       acknowledgeAlarm(input: $input) { result { reason acknowledgeText acknowledgeJson resolvedDate } } }`,
    { input: { uuid, reason, ...more } },
  );
  const [error] = errors ?? [];
  return {
    alarm: data?.acknowledgeAlarm?.result,
    refusal: error && { message: error.message, ...(error.extensions?.field && { field: error.extensions.field }) },
  };
}

export async function resolve(browser: TestBrowser, uuid: string, note?: string): Promise<Handled> {
  const { data, errors } = await browser.graphql(
    'mutation ($input: ResolveAlarmInput!) { resolveAlarm(input: $input) { result { resolvedDate resolvedHow resolveNote } } }',
    { input: { uuid, note } },
  );
  const [error] = errors ?? [];
  return {
    alarm: data?.resolveAlarm?.result,
    refusal: error && { message: error.message, ...(error.extensions?.field && { field: error.extensions.field }) },
  };
}

/** Acknowledges or resolves several alarms with one call. Returns the result for each alarm. */
export async function many(
  browser: TestBrowser,
  verb: 'acknowledge' | 'resolve',
  uuids: readonly string[],
  more: Record<string, unknown> = {},
): Promise<{ tocsinAlarmUuid: string; ok: boolean; sentence: string }[]> {
  const name = `${verb}Alarms`;
  const type = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}AlarmsInput`;
  const data = await browser.data(
    `mutation ($input: ${type}!) { ${name}(input: $input) { result { tocsinAlarmUuid ok sentence } } }`,
    { input: { uuids, ...more } },
  );
  return data[name].result;
}

export async function allowedReasons(browser: TestBrowser, uuid: string): Promise<string[]> {
  const { alarm } = await browser.data('query ($u: UUID!) { alarm(uuid: $u) { allowedReasons { nodes } } }', {
    u: uuid,
  });
  return alarm.allowedReasons.nodes;
}
