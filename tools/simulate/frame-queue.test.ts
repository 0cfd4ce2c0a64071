import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Command, type Outcome, outcomeOf } from './client.ts';
import { backoff, FrameQueue, zeroCounts } from './frame-queue.ts';

const frame = (text: string, confirms: number[] = []) => ({ body: new TextEncoder().encode(text), confirms });
const accepted: Outcome = { kind: 'accepted', commands: [] };

/** Creates a queue whose client returns these outcomes in order and then accepts every frame. */
function queueWith(outcomes: Outcome[], limit?: number) {
  const heard: string[] = [];
  const commands: Command[] = [];
  const refusals: string[] = [];
  const counts = zeroCounts();
  const queue = new FrameQueue({
    counts,
    key: 1,
    ...(limit !== undefined && { limit }),
    onCommand: (command) => commands.push(command),
    onRefusal: ({ because }) => refusals.push(because),
    client: {
      async send(body) {
        heard.push(new TextDecoder().decode(body));
        return outcomes.shift() ?? accepted;
      },
      async close() {},
    },
  });
  return { queue, heard, commands, counts, refusals };
}

describe('the queue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('keeps a failed frame, waits longer each time, and keeps the order', async () => {
    const { queue, heard, counts } = queueWith([outcomeOf('busy'), outcomeOf('busy')]);
    queue.add(frame('a', [4]));
    queue.add(frame('b'));
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard).toEqual(['a', 'a']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(heard).toEqual(['a', 'a', 'a', 'b']);
    expect(counts).toEqual({ sent: 4, accepted: 2, refused: 0, failed: 2, dropped: 0, confirmed: 1 });
  });

  test('continues after a refused frame', async () => {
    const { queue, heard, counts } = queueWith([outcomeOf('not-json')]);
    queue.add(frame('bad'));
    queue.add(frame('good'));
    await queue.drained();
    expect(heard).toEqual(['bad', 'good']);
    expect(counts).toMatchObject({ accepted: 1, refused: 1 });
  });

  test('counts a frame without usable values as refused, and executes the commands of its response', async () => {
    const command = { id: 3, text: 'REBOOT' };
    const { queue, counts, commands, refusals } = queueWith([
      { kind: 'accepted', commands: [command], useless: 'unknown-channel' },
      outcomeOf('not-json'),
    ]);
    for (const text of ['a', 'b', 'c']) queue.add(frame(text));
    await queue.drained();
    expect(counts).toMatchObject({ sent: 3, accepted: 1, refused: 2 });
    expect([refusals, commands]).toEqual([['unknown-channel', 'not-json'], [command]]);
  });

  test('waits a minute when the device is barred, and as long as the server asks', async () => {
    const { queue, heard } = queueWith([outcomeOf('disabled'), outcomeOf('flood', 7000)]);
    queue.add(frame('a'));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(heard).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(6900);
    expect(heard).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(heard).toHaveLength(3);
  });

  test('drops the oldest frames above the limit, but not the one in transmission', async () => {
    const { queue, heard, counts } = queueWith([outcomeOf('busy')], 3);
    for (const text of ['a', 'b', 'c', 'd', 'e']) queue.add(frame(text));
    await vi.advanceTimersByTimeAsync(5000);
    expect(heard).toEqual(['a', 'a', 'd', 'e']);
    expect(counts).toMatchObject({ dropped: 2, accepted: 3 });
  });

  test('passes commands on and can be stopped while it waits', async () => {
    const command = { id: 3, text: 'REBOOT' };
    const { queue, commands, heard } = queueWith([{ kind: 'accepted', commands: [command] }, outcomeOf('busy')]);
    queue.add(frame('a'));
    queue.add(frame('b'));
    await vi.advanceTimersByTimeAsync(10);
    await queue.stop();
    expect(commands).toEqual([command]);
    expect(heard).toEqual(['a', 'b']);
  });

  test('the delays grow to a minute and no further', () => {
    const waits = Array.from({ length: 12 }, (_, index) => backoff(index + 1, 9));
    expect(waits[0]).toBeLessThanOrEqual(1000);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
    expect(waits[11]).toBeGreaterThanOrEqual(30_000);
  });
});
