import { frameLimits } from '../../domain/frame/frame.ts';
import type { Refusal, RefusalName } from './intake.ts';
import { foreign, unknownUid } from './refusals.ts';
import type { Registry } from './registry.ts';
import type { Sensor } from './sensor.ts';

/** The frames of a gateway's call, or why they cannot be told apart. */
export function framesOf(text: string | undefined): { uid: string; frame: object }[] | Refusal {
  const refuse = (because: RefusalName, sentence: string): Refusal => ({ ok: false, because, sentence });
  if (text === undefined) return refuse('not-text', 'The call is not text in UTF-8.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refuse('not-json', 'The call is not valid JSON.');
  }
  const frames = Array.isArray(parsed) ? parsed : (parsed as { frames?: unknown } | null)?.frames;
  if (!Array.isArray(frames)) return refuse('no-frames', 'Send {"frames": [{"uid": "…", …}, …]}.');
  if (frames.length === 0) return refuse('empty', 'The call has no frames.');
  if (frames.length > frameLimits.batchFrames) {
    return refuse('too-many-values', `A call may bring at most ${frameLimits.batchFrames} frames.`);
  }
  const told: { uid: string; frame: object }[] = [];
  for (const frame of frames) {
    const uid = (frame as { uid?: unknown } | null)?.uid;
    if (typeof uid !== 'string' || uid === '') return refuse('no-uid', 'Every frame of the call must name its uid.');
    told.push({ uid, frame });
  }
  return told;
}

/** The sensors a gateway may speak for: itself, and those that name it as theirs. */
export async function sensorsBehind(
  registry: Registry,
  gateway: Sensor,
  uids: ReadonlySet<string>,
): Promise<Map<string, Sensor>> {
  const found = new Map<string, Sensor>();
  await Promise.all(
    [...uids].map(async (uid) => {
      const mine = (await registry.byUid(uid)).find(
        ({ uuid, gatewayUuid }) => uuid === gateway.uuid || gatewayUuid === gateway.uuid,
      );
      if (mine) found.set(uid, mine);
    }),
  );
  return found;
}

/** The first of these uids that the gateway may speak for. */
export async function firstBehind(
  registry: Registry,
  gateway: Sensor,
  uids: readonly string[],
): Promise<Sensor | undefined> {
  for (const uid of uids) {
    const sensor = (await sensorsBehind(registry, gateway, new Set([uid]))).get(uid);
    if (sensor) return sensor;
  }
  return undefined;
}

/** Why a gateway may speak for none of these uids. Sensors of other customers are no affair of its own. */
export async function notBehind(registry: Registry, gateway: Sensor, uids: readonly string[]): Promise<Refusal> {
  for (const uid of uids) {
    const sensors = await registry.byUid(uid);
    if (sensors.some(({ customerUuid }) => customerUuid === gateway.customerUuid)) return foreign(uid, gateway);
  }
  return unknownUid(uids[0] ?? '');
}
