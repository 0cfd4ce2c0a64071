import { describe, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../../test/harness/database/factories.ts';
import type { TestSensor } from '../../test/harness/device/devices.ts';
import { at, HOUR, START, testPipeline } from '../../test/harness/server/pipeline.ts';
import { pipelineAccess } from '../access.ts';
import { markSent } from './commands.ts';

const bench = testPipeline();
const { sensorWith, signedIn, taken, framesOf } = bench;

describe('a command', () => {
  const queue = (sensor: TestSensor, command = 'REBOOT') =>
    insertRow(bench.db, 'tocsin.reply_message', {
      tocsin_customer_uuid: bench.customer.uuid,
      uid: sensor.uid,
      reply_command: command,
      queued_on: bench.clock.now().toISOString(),
    });
  const lifeOf = async (id: string) =>
    (
      await serviceQuery(
        bench.db,
        'select sent_on, delivered_on, attempts, reply from tocsin.reply_message where id = $1',
        [id],
      )
    )[0];

  test('waits for its device, is repeated until it is confirmed, and never sent after that', async () => {
    const sensor = await sensorWith();
    await taken(sensor, '1=1');
    const { id } = await queue(sensor);
    expect((await taken(sensor, '1=2')).commands).toEqual([{ id: Number(id), text: 'REBOOT' }]);
    expect(await lifeOf(id)).toMatchObject({ sent_on: START, delivered_on: null, attempts: 1 });
    expect((await taken(sensor, '1=3')).commands).toEqual([]);
    bench.clock.advance(60_000);
    expect((await taken(sensor, '1=4')).commands).toEqual([{ id: Number(id), text: 'REBOOT' }]);
    bench.clock.advance(1000);
    expect((await taken(sensor, `1=5;ack=${id};reply=done`)).commands).toEqual([]);
    expect(await lifeOf(id)).toEqual({ sent_on: at(60_000), delivered_on: at(61_000), attempts: 2, reply: 'done' });
    bench.clock.advance(HOUR);
    expect((await taken(sensor, `1=6;ack=${id};reply=again`)).commands).toEqual([]);
    expect((await lifeOf(id)).reply).toBe('done');
  });

  test('that does not fit into a response is sent with the next response, before a repeated command', async () => {
    const sensor = await sensorWith();
    await taken(sensor, '1=1');
    const ids = [];
    for (const text of ['ONE', 'TWO', 'THREE']) ids.push(Number((await queue(sensor, text)).id));
    const heard = async () => (await taken(sensor, '1=1', { commands: 1 })).commands.map(({ id }) => id);
    expect(await heard()).toEqual([ids[0]]);
    const lives = await Promise.all(ids.map((id) => lifeOf(String(id))));
    expect(lives.map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
    bench.clock.advance(60_000);
    // The two frames are in one batch, and each gets one command.
    expect((await Promise.all([heard(), heard()])).flat()).toEqual([ids[1], ids[2]]);
    expect(await heard()).toEqual([ids[0]]);
    expect(await heard()).toEqual([]);
  });

  test('expires', async () => {
    const sensor = await sensorWith();
    await queue(sensor);
    bench.clock.advance(72 * HOUR);
    expect((await taken(sensor, '1=1')).commands).toEqual([]);
  });

  test('of another sensor cannot be confirmed', async () => {
    const [mine, theirs] = [await sensorWith(), await sensorWith()];
    const { id } = await queue(theirs);
    const note = `There is no command ${id} for this sensor, so the ack has no effect.`;
    expect((await taken(mine, { '1': 1, ack: Number(id) })).notes).toEqual([note]);
    expect((await lifeOf(id)).delivered_on).toBeNull();
    expect((await framesOf(mine)).at(-1)).toMatchObject({ note });
  });

  test('that was never sent is not confirmed, and only its ack gets a note in the log', async () => {
    const sensor = await sensorWith();
    const { id } = await queue(sensor);
    expect((await taken(sensor, `1=0;ack=${id}`)).commands).toHaveLength(1);
    expect(await lifeOf(id)).toMatchObject({ delivered_on: null, attempts: 1 });
    bench.clock.advance(1000);
    for (const frame of [`1=1;ack=${id}`, `1=2;ack=${id}`, '1=3;ack=987654321']) {
      await taken(sensor, frame);
      bench.clock.advance(1000);
    }
    expect((await framesOf(sensor)).map(({ note }) => note)).toEqual([
      `Command ${id} has not been sent yet, so the ack has no effect.`,
      null,
      null,
      'There is no command 987654321 for this sensor, so the ack has no effect.',
    ]);
  });

  test('is sent to a connected device without a frame, and only once by two processes', async () => {
    const sensor = await sensorWith();
    const device = await signedIn(sensor);
    const { id } = await queue(sensor);
    const other = await bench.start();
    const [first, second] = await Promise.all([bench.pipeline.takeCommands(device), other.takeCommands(device)]);
    expect([...first, ...second]).toEqual([{ id: Number(id), text: 'REBOOT' }]);
    await other.close();
  });

  test('that was cancelled is not sent, even if it is cached as queued', async () => {
    const sensor = await sensorWith();
    const device = await signedIn(sensor);
    const { id } = await queue(sensor);
    const now = bench.clock.now();
    const retry = { retryMs: 60_000 };
    await serviceQuery(
      bench.db,
      "update tocsin.reply_message set cancelled_on = $2, cancelled_by = 'M' where id = $1",
      [id, now],
    );
    const sent = bench.db.transaction(pipelineAccess(bench.clock), (tx) => markSent(tx, [Number(id)], now, retry));
    expect([...(await sent)]).toEqual([]);
    expect((await taken(sensor, '1=1')).commands).toEqual([]);
    expect(await bench.pipeline.takeCommands(device)).toEqual([]);
    const note = `Command ${id} was cancelled, so the ack has no effect.`;
    expect((await taken(sensor, { '1': 2, ack: Number(id) })).notes).toEqual([note]);
    expect(await lifeOf(id)).toEqual({ sent_on: null, delivered_on: null, attempts: 0, reply: null });
  });

  test('that was cancelled makes room in the response for the next one', async () => {
    const sensor = await sensorWith();
    const [first, second] = [await queue(sensor, 'ONE'), await queue(sensor, 'TWO')];
    // With this frame, the process caches both commands as queued.
    await taken(sensor, '1=1', { commands: 0 });
    await serviceQuery(bench.db, 'update tocsin.reply_message set cancelled_on = $2 where id = $1', [
      first.id,
      bench.clock.now(),
    ]);
    const { commands } = await taken(sensor, '1=2', { commands: 1 });
    expect(commands).toEqual([{ id: Number(second.id), text: 'TWO' }]);
  });

  test('notifies listeners when it is queued', async () => {
    const sensor = await sensorWith();
    const heard: string[] = [];
    bench.pipeline.onDeviceChange((uuid) => heard.push(uuid));
    await queue(sensor);
    await expect.poll(() => heard).toContain(sensor.uuid);
  });
});
