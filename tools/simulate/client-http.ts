import { Agent, type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import { text } from 'node:stream/consumers';
import { type DeviceClient, type DeviceClientOptions, failed, type Outcome, outcomeOf, TIMEOUT_MS } from './client.ts';

/** Creates a device that posts frames with its token and reads commands from the responses. */
export function createHttpClient({ uid, token, address, timeoutMs = TIMEOUT_MS }: DeviceClientOptions): DeviceClient {
  const url = new URL(`api/v1/ingest/${encodeURIComponent(uid)}`, new URL('./', address));
  const agent = agentOf(url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };

  let underWay: ClientRequest | undefined;

  const send = (body: Uint8Array) =>
    new Promise<Outcome>((resolve) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const request = url.protocol === 'https:' ? requestHttps : requestHttp;
      const call = request(url, { method: 'POST', agent: agent.agent, headers, signal });
      underWay = call;
      call.once('error', (error) => resolve(failed(error)));
      call.once('response', (response) => {
        text(response).then(
          (answer) => resolve(readAnswer(response.statusCode ?? 0, answer, Number(response.headers['retry-after']))),
          (error) => resolve(failed(error)),
        );
      });
      call.end(body);
    });

  return {
    send,
    async close() {
      underWay?.destroy();
      agent.release();
    },
  };
}

/** HTTP agents, keyed by server. Thousands of devices can send to the same server, so they share connections. */
const agents = new Map<string, { agent: Agent; users: number }>();

function agentOf(url: URL): { agent: Agent; release(): void } {
  const settings = { keepAlive: true, maxSockets: 32 };
  const shared = agents.get(url.origin) ?? {
    agent: url.protocol === 'https:' ? new TlsAgent(settings) : new Agent(settings),
    users: 0,
  };
  shared.users += 1;
  agents.set(url.origin, shared);
  let released = false;
  return {
    agent: shared.agent,
    release() {
      if (released) {
        return;
      }
      released = true;
      shared.users -= 1;
      if (shared.users === 0) {
        shared.agent.destroy();
        agents.delete(url.origin);
      }
    },
  };
}

interface Answer {
  reason?: string;
  accepted?: number;
  duplicates?: number;
  refused?: { reason: string }[];
  commands?: { id: number; command: string }[];
}

export function readAnswer(status: number, text: string, retryAfter: number): Outcome {
  let answer: Answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return { kind: 'failed', because: `status ${status}` };
  }
  if (status === 200) {
    const commands = (answer.commands ?? []).map(({ id, command }) => ({ id, text: command }));
    const [refused] = answer.refused ?? [];
    const isUseless = refused !== undefined && !answer.accepted && !answer.duplicates;
    return { kind: 'accepted', commands, ...(isUseless && { useless: refused.reason }) };
  }
  return outcomeOf(answer.reason ?? `status ${status}`, retryAfter > 0 ? retryAfter * 1000 : undefined);
}
