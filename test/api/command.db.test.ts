import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timeText } from '../../domain/alarm/message.ts';
import { disposeTestDatabases } from '../harness/database/database.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { createSensor } from '../harness/device/devices.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { accessOf, ingest } from './api.ts';

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  // Refusals show times in the customer's time zone, here UTC+5:45.
  await serviceQuery(app.db, `update tocsin.customer set time_zone = 'Asia/Kathmandu' where uuid = $1`, [
    staff.customer.uuid,
  ]);
  manager = await app.browser(staff.manager);
});
afterAll(async () => {
  await app.close();
  await disposeTestDatabases();
});

test('a command shows all its states', async () => {
  const sensor = await createSensor(app.db, { customer: staff.customer });
  const queue = `mutation ($input: CreateReplyMessageInput!) { createReplyMessage(input: $input) { replyMessage { id } } }`;
  const replyMessage = { uid: sensor.uid, replyCommand: 'REBOOT', queuedOn: '2020-01-01T00:00:00Z' };
  const { id } = (await manager.data(queue, { input: { replyMessage } })).createReplyMessage.replyMessage;
  const life = async () =>
    (
      await manager.data(
        `query ($id: BigInt!) { replyMessages(filter: { id: { equalTo: $id } }) { nodes {
          state queuedOn sentOn attempts deliveredOn expiresOn reply } } }`,
        { id },
      )
    ).replyMessages.nodes[0];
  const queued = app.clock.now();
  expect(await life()).toMatchObject({ state: 'queued', sentOn: null, attempts: 0, deliveredOn: null });
  expect(Date.parse((await life()).expiresOn) - queued.getTime()).toBe(72 * 3_600_000);
  const { answer } = await ingest(app, sensor.uid, sensor.token);
  expect(answer.commands).toEqual([{ id: Number(id), command: 'REBOOT' }]);
  expect(await life()).toMatchObject({ state: 'sent', attempts: 1, deliveredOn: null });
  await ingest(app, sensor.uid, sensor.token, `ack=${id};reply=rebooting`);
  expect(await life()).toMatchObject({ state: 'confirmed', reply: 'rebooting' });
  const late = (await manager.data(queue, { input: { replyMessage } })).createReplyMessage.replyMessage;
  await serviceQuery(app.db, 'update tocsin.reply_message set expires_on = $2 where id = $1', [
    late.id,
    app.clock.now(),
  ]);
  const { replyMessages } = await manager.data(
    `query ($id: BigInt!) { replyMessages(filter: { id: { equalTo: $id } }) { nodes { state } } }`,
    { id: late.id },
  );
  expect(replyMessages.nodes).toEqual([{ state: 'expired' }]);
  const early = { ...replyMessage, expiresOn: '2020-01-01T00:00:00Z' };
  const refused = await manager.graphql(queue, { input: { replyMessage: early } });
  expect(refused.errors?.[0]?.extensions).toMatchObject({ field: 'expiresOn' });
});

describe('a queued command', () => {
  const CANCEL = `mutation ($input: CancelReplyMessageInput!) { cancelReplyMessage(input: $input) {
    replyMessage { state cancelledOn cancelledBy } } }`;
  const waiting = async (sensor: { uid: string }) => {
    const { createReplyMessage } = await manager.data(
      'mutation ($input: CreateReplyMessageInput!) { createReplyMessage(input: $input) { replyMessage { id } } }',
      { input: { replyMessage: { uid: sensor.uid, replyCommand: 'REBOOT' } } },
    );
    return createReplyMessage.replyMessage.id as string;
  };
  const refusal = async (id: string) => (await manager.graphql(CANCEL, { input: { id } })).errors?.[0];

  test('can be cancelled by users who may queue one, is recorded, and never reaches its device', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    for (const person of [staff.owner, staff.manager, staff.partner]) {
      const id = await waiting(sensor);
      const { cancelReplyMessage } = await (await app.browser(person)).data(CANCEL, { input: { id } });
      const { cancelledOn, ...rest } = cancelReplyMessage.replyMessage;
      expect(rest).toEqual({ state: 'cancelled', cancelledBy: person.display_name });
      expect(Date.parse(cancelledOn)).toBe(app.clock.now().getTime());
      const [record] = await serviceQuery(
        app.db,
        "select tocsin_user_uuid, before, after from tocsin.audit where action = 'reply_message.update' and row_key = $1",
        [id],
      );
      expect(record).toMatchObject({
        tocsin_user_uuid: person.uuid,
        before: { cancelled_by: null },
        after: { uid: sensor.uid, cancelled_by: person.display_name },
      });
    }
    expect((await ingest(app, sensor.uid, sensor.token)).answer.commands ?? []).toEqual([]);
  });

  test('cannot be cancelled after it was sent, cancelled or expired, and the response says which', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    const sent = await waiting(sensor);
    expect((await ingest(app, sensor.uid, sensor.token)).answer.commands).toHaveLength(1);
    const sentAt = timeText(app.clock.now(), 'Asia/Kathmandu');
    expect((await refusal(sent))?.message).toBe(`This command was sent on ${sentAt} and cannot be cancelled.`);
    const twice = await waiting(sensor);
    await manager.data(CANCEL, { input: { id: twice } });
    expect(await refusal(twice)).toMatchObject({
      message: `${staff.manager.display_name} has already cancelled this command.`,
      extensions: { field: 'id' },
    });
    const late = await waiting(sensor);
    await serviceQuery(app.db, 'update tocsin.reply_message set expires_on = $2 where id = $1', [
      late,
      app.clock.now(),
    ]);
    expect((await refusal(late))?.message).toBe('This command has expired and cannot be cancelled.');
  });

  test('is either sent or cancelled when both happen at once', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const sensor = await createSensor(app.db, { customer: staff.customer });
      const id = await waiting(sensor);
      const [{ answer }, { errors }] = await Promise.all([
        ingest(app, sensor.uid, sensor.token),
        manager.graphql(CANCEL, { input: { id } }),
      ]);
      expect(answer.commands ?? []).toHaveLength(errors ? 1 : 0);
    }
  });

  test('cannot be cancelled by another customer or an operator, not even by the function behind it', async () => {
    const sensor = await createSensor(app.db, { customer: staff.customer });
    const id = await waiting(sensor);
    const strangers = await app.staff();
    for (const person of [strangers.owner, strangers.partner, staff.operator]) {
      const browser = await app.browser(person);
      const { errors } = await browser.graphql(CANCEL, { input: { id } });
      expect(errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
      const calling = app.db.transaction(accessOf(app, person), (tx) =>
        tx.query('select tocsin_definer.cancel_reply_message($1)', [id]),
      );
      await expect(calling).rejects.toMatchObject({ code: 'TC404' });
    }
    expect((await ingest(app, sensor.uid, sensor.token)).answer.commands).toHaveLength(1);
  });
});
