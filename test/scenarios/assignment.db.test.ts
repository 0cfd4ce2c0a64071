/**
 * An open alarm is assigned to at most one person, and only to a person with access to it. The timeline explains every
 * change.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alarmAccess } from '../../domain/permission.ts';
import { personAccess } from '../../server/access.ts';
import { testDatabaseKind } from '../harness/database/database.ts';
import {
  createCustomer,
  createUser,
  insertRow,
  linkUser,
  type SiteRow,
  type UserRow,
} from '../harness/database/factories.ts';
import { PASSWORD, type TestBrowser } from '../harness/server/app.ts';
import { openLivePage } from '../harness/server/live.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant } from './plant.ts';

let plant: Plant;
let vera: UserRow;
let olga: UserRow;
let otto: UserRow;
let site: SiteRow;
beforeAll(async () => {
  plant = await Plant.start();
  ({ site } = await plant.station());
  vera = await plant.person({ name: 'Vera', level: 5 });
  olga = await plant.person({ name: 'Olga', site });
  otto = await plant.person({ name: 'Otto', site });
});
afterAll(() => plant?.close());

let count = 0;
async function openAlarm(at: SiteRow = site): Promise<string> {
  count += 1;
  const { uuid } = await insertRow(plant.db, 'tocsin.alarm', {
    ...{ tocsin_customer_uuid: at.tocsin_customer_uuid, tocsin_site_uuid: at.uuid, site_name: at.name },
    ...{ message: `Fence ${count}`, date_time: plant.clock.now() },
  });
  return uuid;
}

interface Result {
  alarm: { assignedTo: string | null; assignedName: string | null } | undefined;
  refusal: { message: string; field: string | undefined } | undefined;
}

async function call(browser: TestBrowser, name: string, input: object): Promise<Result> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await browser.graphql(
    `mutation ($input: ${type}!) { ${name}(input: $input) { result { assignedTo assignedName } } }`,
    { input },
  );
  const [error] = errors ?? [];
  return {
    alarm: data?.[name]?.result,
    refusal: error && { message: error.message, field: error.extensions?.field as string | undefined },
  };
}

const by = async (person: UserRow, name: string, input: object) => call(await plant.browser(person), name, input);
const take = (person: UserRow, uuid: string, from?: UserRow) =>
  by(person, 'takeAlarm', { uuid, fromUserUuid: from?.uuid });
const assign = (person: UserRow, uuid: string, to: UserRow, from?: UserRow) =>
  by(person, 'assignAlarm', { uuid, userUuid: to.uuid, fromUserUuid: from?.uuid });
const release = (person: UserRow, uuid: string) => by(person, 'releaseAlarm', { uuid });

async function stored(uuid: string) {
  const [alarm] = await plant.query(
    'select assigned_to, assigned_name, assigned_at, acknowledge_json, next_escalation_at from tocsin.alarm where uuid = $1',
    [uuid],
  );
  return alarm;
}
const holder = async (uuid: string): Promise<string | null> => (await stored(uuid)).assigned_name;

const changesOf = (uuid: string) =>
  plant.query<{ kind: string; sentence: string; detail: { name?: string; before: string | null } }>(
    `select kind, sentence, detail from tocsin.alarm_event
     where tocsin_alarm_uuid = $1 and kind in ('taken', 'taken-over', 'assigned', 'released') order by id`,
    [uuid],
  );
const sentences = async (uuid: string) => (await changesOf(uuid)).map(({ sentence }) => sentence);

describe('an open alarm', () => {
  test('is taken, taken over, handed over and released, and the timeline says who did it', async () => {
    const uuid = await openAlarm();
    expect((await take(olga, uuid)).alarm).toEqual({ assignedTo: olga.uuid, assignedName: 'Olga' });
    expect((await take(otto, uuid, olga)).alarm?.assignedName).toBe('Otto');
    expect((await assign(otto, uuid, olga)).alarm?.assignedName).toBe('Olga');
    expect((await assign(vera, uuid, otto, olga)).alarm?.assignedName).toBe('Otto');
    expect((await release(otto, uuid)).alarm).toEqual({ assignedTo: null, assignedName: null });
    expect((await assign(vera, uuid, olga)).alarm?.assignedName).toBe('Olga');
    expect(await sentences(uuid)).toEqual([
      'Olga took the alarm.',
      'Otto took the alarm over from Olga.',
      'Otto handed the alarm over to Olga.',
      'Vera assigned the alarm to Otto. It was previously assigned to Olga.',
      'Otto released the alarm.',
      'Vera assigned the alarm to Olga.',
    ]);
    const rows = await plant.query(
      `select user_display_name as who from tocsin.audit where row_key = $1 and action = 'alarm.update' order by id`,
      [uuid],
    );
    expect(rows.map(({ who }) => who)).toEqual(['Olga', 'Otto', 'Otto', 'Vera', 'Otto', 'Vera']);
  });

  test('that somebody has is not taken or handed over without naming that person', async () => {
    const uuid = await openAlarm();
    await take(olga, uuid);
    const who = {
      field: 'fromUserUuid',
      message: expect.stringMatching(
        /^Olga has had this alarm since \d{4}-\d\d-\d\d \d\d:\d\d\. Take it over if you still want it\.$/,
      ),
    };
    expect((await take(otto, uuid)).refusal).toEqual(who);
    expect((await take(otto, uuid, vera)).refusal).toEqual(who);
    expect((await assign(vera, uuid, otto)).refusal).toEqual(who);
    expect(await holder(uuid)).toBe('Olga');
  });

  test('that the caller already has stays as it is, without another entry in the timeline', async () => {
    const uuid = await openAlarm();
    await take(olga, uuid);
    expect((await take(olga, uuid)).alarm?.assignedName).toBe('Olga');
    expect(await sentences(uuid)).toEqual(['Olga took the alarm.']);
  });

  test('is released only by the person who has it', async () => {
    const uuid = await openAlarm();
    expect((await release(olga, uuid)).refusal?.message).toBe(
      'This alarm is not assigned to anyone, so there is nothing to release.',
    );
    await take(olga, uuid);
    expect((await release(vera, uuid)).refusal?.message).toBe('Olga has this alarm. You can take it over.');
    expect(await holder(uuid)).toBe('Olga');
  });

  test.skipIf(testDatabaseKind() === 'embedded')(
    'that two people take at the same moment is given to one, and the other is told who has it',
    async () => {
      const uuid = await openAlarm();
      await plant.browser(otto);
      const taken = Promise.withResolvers<void>();
      const access = personAccess(
        { uuid: olga.uuid, customerUuid: plant.customer.uuid, level: olga.level, partnerAccount: false },
        plant.clock,
      );
      // The first call ends only once the second call is waiting for the lock that the first call holds.
      const first = plant.db.transaction(access, async (tx) => {
        await tx.query('select from tocsin.take_alarm($1)', [uuid]);
        taken.resolve();
        const waiting = 'select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid';
        await expect.poll(async () => (await tx.query(waiting)).rows.length).toBe(1);
      });
      await taken.promise;
      const second = take(otto, uuid);
      await first;
      expect((await second).refusal?.message).toMatch(/^Olga has had this alarm since /);
      expect(await sentences(uuid)).toEqual(['Olga took the alarm.']);
    },
  );

  test('keeps its acknowledgement and its escalation', async () => {
    const station = await plant.station();
    await plant.rule(station, { name: 'High level' });
    await plant.alert(station.site, 'High level', { alert: [vera], escalate: [vera] }, { escalate_minutes: 15 });
    await plant.send(station, 120);
    await plant.settle();
    const [{ uuid, next_escalation_at: next }] = await plant.open(station.site);
    expect(next).not.toBeNull();
    await take(vera, uuid);
    expect(await stored(uuid)).toMatchObject({ acknowledge_json: null, next_escalation_at: next });
    await plant.pass(15 * 60);
    expect((await plant.messages(station.site)).map(({ kind }) => kind)).toEqual(['alarm', 'escalation']);
  });
});

describe('a resolved alarm', () => {
  test('keeps who had it, even after that person is deleted, and cannot be taken', async () => {
    const uuid = await openAlarm();
    const uwe = await plant.person({ name: 'Uwe', site });
    await take(uwe, uuid);
    await resolve(await plant.browser(vera), uuid);
    expect((await stored(uuid)).assigned_to).toBe(uwe.uuid);
    const over = /^This alarm was already resolved on /;
    expect((await take(vera, uuid, uwe)).refusal?.message).toMatch(over);
    expect((await assign(vera, uuid, olga, uwe)).refusal?.message).toMatch(over);
    expect((await release(uwe, uuid)).refusal?.message).toMatch(over);
    await plant.query('delete from tocsin.user where uuid = $1', [uwe.uuid]);
    expect(await stored(uuid)).toMatchObject({ assigned_to: null, assigned_name: 'Uwe' });
    expect(await sentences(uuid)).toEqual(['Uwe took the alarm.']);
  });
});

describe('an assignment ends when its person', () => {
  const ends: [string, (person: UserRow) => [string, unknown[]], string][] = [
    [
      'is deleted',
      ({ uuid }) => ['delete from tocsin.user where uuid = $1', [uuid]],
      'was deleted, so the alarm is no longer assigned.',
    ],
    [
      'is disabled',
      ({ uuid }) => ['update tocsin.user set status = false where uuid = $1', [uuid]],
      'was disabled, so the alarm is no longer assigned.',
    ],
    [
      'loses the link to the site',
      ({ uuid }) => ['delete from tocsin.site_user where tocsin_user_uuid = $1', [uuid]],
      'may no longer see the alarm, so it is no longer assigned.',
    ],
    [
      'becomes a partner account',
      ({ uuid }) => ['update tocsin.user set tocsin_partner_account = true where uuid = $1', [uuid]],
      'may no longer see the alarm, so it is no longer assigned.',
    ],
  ];
  test.each(ends)('%s', async (_, end, sentence) => {
    const uuid = await openAlarm();
    const uwe = await plant.person({ name: 'Uwe', site });
    await take(uwe, uuid);
    await plant.query(...end(uwe));
    expect(await stored(uuid)).toMatchObject({ assigned_to: null, assigned_name: null, assigned_at: null });
    expect((await sentences(uuid)).at(-1)).toBe(`Uwe ${sentence}`);
  });

  test('is a manager who becomes an operator without the site', async () => {
    const [here, there] = [await openAlarm(), await openAlarm((await plant.station()).site)];
    const mara = await plant.person({ name: 'Mara', level: 5, site });
    await take(mara, here);
    await take(mara, there);
    await plant.query('update tocsin.user set level = 20 where uuid = $1', [mara.uuid]);
    expect([await holder(here), await holder(there)]).toEqual(['Mara', null]);
  });

  test('is an operator of a site that is deleted', async () => {
    const station = await plant.station();
    const uuid = await openAlarm(station.site);
    await plant.query(`update tocsin.alarm set source = 'limits' where uuid = $1`, [uuid]);
    const uwe = await plant.person({ name: 'Uwe', site: station.site });
    await take(uwe, uuid);
    await plant.query('delete from tocsin.site where uuid = $1', [station.site.uuid]);
    expect(await holder(uuid)).toBeNull();
  });

  test('is changed while somebody hands the alarm over', async () => {
    for (let round = 0; round < 5; round += 1) {
      const uuid = await openAlarm();
      const uwe = await plant.person({ name: 'Uwe', site });
      await Promise.all([
        assign(vera, uuid, uwe),
        plant.query('update tocsin.user set status = false where uuid = $1', [uwe.uuid]),
      ]);
      expect(await holder(uuid)).toBeNull();
    }
  });
});

describe('permissions', () => {
  test('only people who may see the alarm take it, hand it over and see who can get it', async () => {
    const missing = 'The record was deleted, or you are not allowed to change it.';
    const stranger = await plant.person({ name: 'Sven' });
    const partner = await plant.person({ name: 'Pia', level: 5, flags: { tocsin_partner_account: true } });
    const foreign = await createUser(plant.db, {
      customer: await createCustomer(plant.db),
      level: 0,
      password: PASSWORD,
    });
    const owner = await plant.person({ name: 'Olivia', level: 0 });
    const people = async (person: UserRow, alarm: string) => {
      const { assignablePeople } = await (await plant.browser(person)).data(
        'query ($alarm: UUID!) { assignablePeople(alarmUuid: $alarm) { nodes { name } } }',
        { alarm },
      );
      return assignablePeople.nodes.map(({ name }: { name: string }) => name);
    };
    for (const person of [stranger, partner, foreign]) {
      const uuid = await openAlarm();
      const name = person.display_name;
      expect((await take(person, uuid)).refusal?.message, name).toBe(missing);
      expect((await assign(person, uuid, olga)).refusal?.message, name).toBe(missing);
      expect((await release(person, uuid)).refusal?.message, name).toBe(missing);
      expect(await people(person, uuid), name).toEqual([]);
      expect((await assign(vera, uuid, person)).refusal, name).toEqual({
        field: 'userUuid',
        message: 'Choose an active person who is allowed to see this alarm.',
      });
      expect(await holder(uuid), name).toBeNull();
    }
    for (const person of [owner, vera, olga]) {
      const uuid = await openAlarm();
      expect((await take(person, uuid)).alarm?.assignedName).toBe(person.display_name);
      expect((await assign(person, uuid, otto)).alarm?.assignedName).toBe('Otto');
      const names = await people(person, uuid);
      expect(names).toEqual(expect.arrayContaining(['Olga', 'Olivia', 'Otto', 'Vera']));
      expect(names).not.toEqual(expect.arrayContaining(['Sven']));
    }
  });

  test('an unknown person and a disabled person cannot get an alarm', async () => {
    const uuid = await openAlarm();
    const gone = await plant.person({ name: 'Gone', site, flags: { status: false } });
    const refusal = { field: 'userUuid', message: 'Choose an active person who is allowed to see this alarm.' };
    expect((await assign(vera, uuid, gone)).refusal).toEqual(refusal);
    expect((await by(vera, 'assignAlarm', { uuid, userUuid: site.uuid })).refusal).toEqual(refusal);
  });
});

describe('lists', () => {
  test('show the alarms of the signed-in person, apart from those that wait for that person', async () => {
    const station = await plant.station();
    const nora = await plant.person({ name: 'Nora', site: station.site });
    await plant.rule(station, { name: 'High level' });
    await plant.alert(station.site, 'High level', { alert: [nora] });
    await plant.send(station, 120);
    await plant.settle();
    const browser = await plant.browser(nora);
    const lists = async () => {
      const uuids = ({ nodes }: { nodes: { uuid: string }[] }) => nodes.map(({ uuid }) => uuid);
      const { mine, waiting, list, rest, number } = await browser.data(
        `{ mine: alarmsAssignedToMe { nodes { uuid } } waiting: alarmsWaitingForMe { nodes { uuid } }
           list: alarmList(isOpen: true, isMine: true) { nodes { uuid } }
           rest: alarmList(isOpen: true, isMine: false) { nodes { uuid } }
           number: alarmCount(isOpen: true, isMine: true) { nodes } }`,
      );
      expect(number.nodes[0]).toBe(list.nodes.length);
      return { mine: uuids(mine), waiting: uuids(waiting), list: uuids(list), rest: uuids(rest) };
    };
    const [{ uuid }] = await plant.open(station.site);
    expect(await lists()).toEqual({ mine: [], waiting: [uuid], list: [], rest: [uuid] });
    await take(nora, uuid);
    expect(await lists()).toEqual({ mine: [uuid], waiting: [], list: [uuid], rest: [] });
    await acknowledge(browser, uuid, 'Known');
    expect((await lists()).mine).toEqual([uuid]);
    await assign(nora, uuid, vera);
    expect(await lists()).toEqual({ mine: [], waiting: [], list: [], rest: [uuid] });
  });

  test('of other people are told of an assignment and of a note at once', async () => {
    const uuid = await openAlarm();
    const page = openLivePage(plant.app, await plant.browser(vera), { query: 'subscription { alarmNews { count } }' });
    await expect.poll(() => page.events.length).toBe(1);
    await take(olga, uuid);
    await expect.poll(() => page.events.length).toBe(2);
    await (await plant.browser(olga)).data(
      'mutation ($input: AddAlarmNoteInput!) { addAlarmNote(input: $input) { clientMutationId } }',
      { input: { uuid, note: 'On the way' } },
    );
    await expect.poll(() => page.events.length).toBe(3);
    page.close();
  });
});

test('an open alarm is assigned to nobody or to a person who may see it, and the timeline explains who has it', async () => {
  const who = fc.integer({ min: 0, max: 2 });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), who, from: fc.option(who) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('assign' as const), who, to: who, from: fc.option(who) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('together' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('release', 'disable', 'unlink', 'link'), who }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('resolve' as const) }) },
  );
  const people = [vera, olga, otto] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const place = (await plant.station()).site;
      const uuid = await openAlarm(place);
      // Disabling ends the sessions of a person, so each run signs in again.
      await plant.query('update tocsin.user set status = true where uuid = any ($1)', [people.map((one) => one.uuid)]);
      const browsers = await Promise.all(people.map((person) => plant.app.browser(person)));
      await Promise.all([olga, otto].map((person) => linkUser(plant.db, person, place)));
      const run = (index: number, name: string, input: object) =>
        call(browsers[index] as TestBrowser, name, { uuid, ...input });
      for (const one of steps) {
        const before = await stored(uuid);
        const person = people['who' in one ? one.who : 0] as UserRow;
        const from = 'from' in one && one.from !== null ? { fromUserUuid: people[one.from]?.uuid } : {};
        if (one.do === 'take') await run(one.who, 'takeAlarm', from);
        if (one.do === 'assign') await run(one.who, 'assignAlarm', { userUuid: people[one.to]?.uuid, ...from });
        if (one.do === 'release') await run(one.who, 'releaseAlarm', {});
        if (one.do === 'together') await Promise.all(people.map((_, index) => run(index, 'takeAlarm', {})));
        if (one.do === 'resolve') await run(0, 'resolveAlarm', {});
        if (one.do === 'disable')
          await plant.query('update tocsin.user set status = false where uuid = $1', [person.uuid]);
        const link = [place.uuid, person.uuid];
        if (one.do === 'unlink')
          await plant.query('delete from tocsin.site_user where tocsin_site_uuid = $1 and tocsin_user_uuid = $2', link);
        if (one.do === 'link')
          await plant.query(
            `insert into tocsin.site_user (tocsin_customer_uuid, tocsin_site_uuid, tocsin_user_uuid)
             values ($3, $1, $2) on conflict do nothing`,
            [...link, place.tocsin_customer_uuid],
          );
        const [now] = await plant.query(
          `select a.assigned_to, a.assigned_name, a.resolved_date, u.status, u.level, u.tocsin_partner_account as partner,
             exists (select from tocsin.site_user l where l.tocsin_user_uuid = u.uuid and l.tocsin_site_uuid = a.tocsin_site_uuid) as linked
           from tocsin.alarm a left join tocsin.user u on u.uuid = a.assigned_to where a.uuid = $1`,
          [uuid],
        );
        if (now.resolved_date === null && now.assigned_to !== null) {
          expect(now.status).toBe(true);
          expect(alarmAccess({ level: now.level, partnerAccount: now.partner }, now.linked).opens).toBe(true);
        }
        // Only two kinds of steps may end an assignment: steps by the assigned person, and steps that explicitly refer
        // to this person.
        const isNamed = [person.uuid, from.fromUserUuid].includes(before.assigned_to);
        if (before.assigned_to !== null && !isNamed) expect(now.assigned_to).toBe(before.assigned_to);
        let has: string | null = null;
        for (const { kind, detail } of await changesOf(uuid)) {
          expect(detail.before).toBe(has);
          has = kind === 'released' ? null : (detail.name ?? null);
        }
        expect(now.assigned_name).toBe(has);
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  await plant.query('update tocsin.user set status = true where uuid = any ($1)', [people.map((one) => one.uuid)]);
});
