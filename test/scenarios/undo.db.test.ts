/** Users can undo their own acknowledgement within ten seconds, and can add notes at any time. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let anna: UserRow;
let ben: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  anna = await plant.person({ name: 'Anna' });
  ben = await plant.person({ name: 'Ben' });
});
afterAll(() => plant?.close());

async function inAlarm(): Promise<{ station: Station; uuid: string }> {
  const station = await plant.station();
  for (const person of [anna, ben]) await linkUser(plant.db, person, station.site);
  await plant.rule(station, { name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [anna], escalate: [ben] });
  await plant.send(station, 120);
  await plant.settle();
  const [alarm] = await plant.open(station.site);
  return { station, uuid: alarm.uuid };
}

async function undo(browser: TestBrowser, ...uuids: string[]): Promise<string[]> {
  const data = await browser.data(
    'mutation ($input: UndoAcknowledgementsInput!) { undoAcknowledgements(input: $input) { result { ok sentence } } }',
    { input: { uuids } },
  );
  return data.undoAcknowledgements.result.map((one: { ok: boolean; sentence: string }) => one.sentence || one.ok);
}

async function stored(uuid: string): Promise<any> {
  const [alarm] = await plant.query(
    `select reason, acknowledge_text, acknowledge_json, acknowledged_by, next_escalation_at from tocsin.alarm where uuid = $1`,
    [uuid],
  );
  return alarm;
}

const kindsOf = async (uuid: string): Promise<string[]> =>
  (await plant.query('select kind from tocsin.alarm_event where tocsin_alarm_uuid = $1 order by id', [uuid])).map(
    ({ kind }) => kind,
  );

describe('undoing an acknowledgement', () => {
  test('restores the alarm within ten seconds; timeline and audit trail show both acts', async () => {
    const { uuid } = await inAlarm();
    const before = await stored(uuid);
    expect(before.next_escalation_at).not.toBeNull();
    const browser = await plant.browser(anna);
    await acknowledge(browser, uuid, 'Rain', { acknowledgeText: 'By mistake' });
    expect((await stored(uuid)).next_escalation_at).toBeNull();
    plant.clock.advance(9_000);
    expect(await undo(browser, uuid)).toEqual([true]);
    expect(await stored(uuid)).toEqual(before);
    expect((await kindsOf(uuid)).filter((kind) => kind.startsWith('acknowledge'))).toEqual([
      'acknowledged',
      'acknowledgement-undone',
    ]);
    const audited = await plant.query(
      `select after ->> 'reason' as reason, user_display_name as name from tocsin.audit where row_key = $1 order by id`,
      [uuid],
    );
    expect(audited).toEqual([
      { reason: 'Rain', name: 'Anna' },
      { reason: null, name: 'Anna' },
    ]);
    const messages = await plant.query(
      'select ack_time, ack_by_recipient_name from tocsin.notification where tocsin_alarm_uuid = $1',
      [uuid],
    );
    expect(messages.length).toBeGreaterThan(0);
    expect(new Set(messages.map(({ ack_time, ack_by_recipient_name }) => ack_time ?? ack_by_recipient_name))).toEqual(
      new Set([null]),
    );
    // After the undo, another user can acknowledge the alarm.
    expect((await acknowledge(await plant.browser(ben), uuid, 'Pump repaired')).refusal).toBeUndefined();
  });

  test('resumes escalation at the time it was due before', async () => {
    const { uuid } = await inAlarm();
    const browser = await plant.browser(anna);
    await acknowledge(browser, uuid, 'Rain');
    plant.clock.advance(5_000);
    await undo(browser, uuid);
    const escalated = async () => (await kindsOf(uuid)).filter((kind) => kind === 'escalated').length;
    plant.clock.advance(14 * 60_000);
    await plant.settle();
    expect(await escalated()).toBe(0);
    plant.clock.advance(60_000);
    await plant.settle();
    expect(await escalated()).toBe(1);
  });

  test('is refused after ten seconds, for other people, without an acknowledgement and after the alarm has ended', async () => {
    const { uuid } = await inAlarm();
    const { uuid: late } = await inAlarm();
    const browser = await plant.browser(anna);
    expect(await undo(browser, uuid)).toEqual(['This alarm is not acknowledged, so there is nothing to undo.']);
    await acknowledge(browser, uuid, 'Rain');
    await acknowledge(browser, late, 'Rain');
    expect(await undo(await plant.browser(ben), uuid)).toEqual([
      'Anna acknowledged this alarm. Only Anna can undo it.',
    ]);
    await resolve(browser, uuid);
    plant.clock.advance(12_000);
    expect(await undo(browser, uuid, late)).toEqual([
      'This alarm is resolved, so its acknowledgement cannot be undone.',
      'An acknowledgement can be undone only within 10 seconds. Add a note to the alarm instead.',
    ]);
    expect((await stored(late)).reason).toBe('Rain');
  });

  test('never loses an escalation: after any sequence of acknowledging, undoing and waiting the due time is the plan’s or the alarm is acknowledged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom('acknowledge', 'undo'), fc.integer({ min: 1, max: 13_000 })), {
          minLength: 1,
          maxLength: 8,
        }),
        async (acts) => {
          const { uuid } = await inAlarm();
          const { next_escalation_at: due } = await stored(uuid);
          const browser = await plant.browser(anna);
          for (const act of acts) {
            if (act === 'acknowledge') await acknowledge(browser, uuid, 'Rain');
            else if (act === 'undo') await undo(browser, uuid);
            else plant.clock.advance(act as number);
          }
          const { acknowledge_json: acknowledged, next_escalation_at: next } = await stored(uuid);
          expect(next).toEqual(acknowledged === null ? due : null);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('a note', () => {
  const add = async (browser: TestBrowser, uuid: string, note: string) => {
    const { errors } = await browser.graphql(
      'mutation ($input: AddAlarmNoteInput!) { addAlarmNote(input: $input) { result { uuid } } }',
      { input: { uuid, note } },
    );
    return errors?.[0]?.message;
  };

  test('is added to the timeline of an open, acknowledged or resolved alarm, with who wrote it', async () => {
    const { uuid } = await inAlarm();
    const browser = await plant.browser(anna);
    expect(await add(browser, uuid, '  Pump 2 is clogged  ')).toBeUndefined();
    await acknowledge(browser, uuid, 'Rain');
    await resolve(browser, uuid);
    plant.clock.advance(3_600_000);
    expect(await add(await plant.browser(ben), uuid, 'Replaced the impeller')).toBeUndefined();
    const notes = await plant.query(
      `select sentence, detail, tocsin_user_uuid as by from tocsin.alarm_event where tocsin_alarm_uuid = $1 and kind = 'note' order by id`,
      [uuid],
    );
    expect(notes).toEqual([
      { sentence: 'Pump 2 is clogged', detail: { name: 'Anna' }, by: anna.uuid },
      { sentence: 'Replaced the impeller', detail: { name: 'Ben' }, by: ben.uuid },
    ]);
  });

  test('is refused if it is empty or too long, or the user does not see the alarm', async () => {
    const { uuid } = await inAlarm();
    const stranger = await plant.person({ name: 'Cora' });
    const browser = await plant.browser(anna);
    expect(await add(browser, uuid, ' \n ')).toBe('Enter a note.');
    expect(await add(browser, uuid, 'x'.repeat(1001))).toBe('Enter a note of at most 1,000 characters.');
    const missing = await add(await plant.browser(stranger), '00000000-0000-4000-8000-000000000000', 'Hello');
    expect(await add(await plant.browser(stranger), uuid, 'Hello')).toBe(missing);
    expect(missing).toBeDefined();
    expect(await kindsOf(uuid)).not.toContain('note');
  });
});
