import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow } from '../../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../../harness/device/devices.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible } from '../support/accessible.ts';
import { inWindow, plantSite, stored } from '../support/admin.ts';

/** Polling interval of the command list, in milliseconds. */
const LOOKS_AGAIN = 5000;

let app: ConsoleApp;
let logger: TestSensor;
beforeAll(async () => {
  app = await startConsole();
  const { customer } = app.people;
  logger = await createSensor(app.db, {
    customer,
    uid: 'logger-log-1',
    columns: { frame_format: 'json' },
    channels: [{ name: 'Level', channel_factor: 0.1 }],
  });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

async function send(body: string, sensor = logger): Promise<any> {
  const answer = await fetch(`${app.url}/api/v1/ingest/${sensor.uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sensor.token}` },
    body,
  });
  return answer.json();
}

describe('the sensor log', () => {
  test('shows raw and decoded frames with problems, updates live, and decodes a typed frame as the gateway does', async () => {
    await send('{"1": 205}');
    await send('1=7');
    const page = await app.visit('/admin/sensor-log?range=1h', { as: app.people.manager, time: app.clock.now() });
    const { panel, row } = inWindow(() => page);
    const rows = row('logger-log-1');
    await rows.filter({ hasText: '{"1": 205}' }).getByText('1 = 205').waitFor();
    // The frame is decoded as JSON, because the sensor's format is JSON.
    await rows.filter({ hasText: '1=7' }).getByText(/JSON/).waitFor();
    expect(await rows.count()).toBe(2);

    await page.getByRole('switch', { name: 'Live' }).check({ force: true });
    await send('{"1": 33, "9": 1}');
    await rows.getByText('9 = 1 refused: no such channel').waitFor();
    await rows.filter({ hasText: '9 = 1 refused' }).click();
    const decoder = panel('Decoder');
    await decoder.getByRole('row', { name: /1 Level 33 3\.3/ }).waitFor();
    await decoder.getByRole('region', { name: 'Decoded' }).getByText('The sensor has no channel "9".').waitFor();
    await expectAccessible(page, '[data-panel]');
    expect(await stored(app, 'incoming_sensor_log', { uid: logger.uid })).toHaveLength(3);

    const ahead = '{"t": "2031-01-01T00:00:00Z", "level": 205}';
    await decoder.getByLabel('Frame').fill(ahead);
    await decoder.getByRole('row', { name: 'level Level 205 20.5 When received' }).waitFor();
    const { notes } = await send(ahead);
    expect(notes).toHaveLength(1);
    await decoder.getByText(notes[0]).waitFor();
    const old = '{"t": "2021-01-01T00:00:00Z", "level": 205}';
    await decoder.getByLabel('Frame').fill(old);
    const { refused } = await send(old);
    await decoder.getByText(`level: ${refused[0].message}`).waitFor();

    await decoder.getByLabel('Frame').fill('Level=41');
    await decoder.getByText(/JSON/).last().waitFor();
    await decoder.getByLabel('Format').selectOption('key-value');
    await decoder.getByRole('row', { name: /Level 41 4\.1/ }).waitFor();
    await decoder.getByLabel('Frame').fill('Level=301.23456');
    await decoder.getByRole('row', { name: /Level 301\.23456 30\.123456/ }).waitFor();
    // Frames that a user enters in the decoder are not stored.
    expect(await stored(app, 'incoming_sensor_log', { uid: logger.uid })).toHaveLength(5);
    await app.leave(page);
  });

  test('says why a device was refused, without a frame', async () => {
    const guesser = await createSensor(app.db, { customer: app.people.customer, uid: 'guesser-1' });
    expect(await send('1=1', { ...guesser, token: 'guess' })).toMatchObject({ reason: 'wrong-token' });
    const page = await app.visit('/admin/sensor-log?range=1h&q=guesser', {
      as: app.people.manager,
      time: app.clock.now(),
    });
    const { panel, row } = inWindow(() => page);
    await page.getByRole('switch', { name: 'Live' }).check({ force: true });
    const line = row('guesser-1');
    await line.getByText('Rejected: The token does not belong to the sensor guesser-1.').waitFor();
    expect(await line.getByText('(empty)').count()).toBe(0);
    await line.click();
    await panel('Decoder')
      .getByRole('region', { name: 'Recorded on arrival' })
      .getByText(/^Rejected:/)
      .waitFor();
    await goTo(page, `/admin/sensors?record=${guesser.uuid}`);
    await page.getByRole('tab', { name: 'Device' }).click();
    await page
      .getByRole('status', { name: 'Listening' })
      .getByText(/^The device was rejected/)
      .waitFor();
    await app.leave(page);
  });

  long('on a phone filters by days and text, downloads the shown rows, and breaks no word or number', async () => {
    await send('{"1": 4711}');
    const page = await app.visit('/admin/sensor-log', { as: app.people.manager, phone: true, dark: true });
    await page.getByText('Days', { exact: true }).click();
    await page.getByText('Choose the first and the last day').waitFor();
    await page.getByLabel('First day').fill('2026-03-02');
    await page.getByLabel('Last day').fill('2026-03-02');
    await page.locator('tr[data-row]').first().waitFor();
    await page.getByRole('searchbox').fill('4711');
    await expect.poll(() => page.locator('tr[data-row]').count()).toBe(1);
    await page.locator('tr[data-row]').getByText('logger-log-1').filter({ visible: true }).waitFor();
    await expectAccessible(page, 'main');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.trim().split('\r\n')).toHaveLength(2);
    expect(file).toContain('logger-log-1,http,"{""1"": 4711}",text,1 = 4711');
    await page.getByLabel('Last day').fill('2026-03-01');
    await page.getByRole('alert').getByText('Choose a last day on or after the first day.').waitFor();

    // The decoder does not break words or numbers across lines.
    await page.getByRole('button', { name: 'Decoder' }).click();
    const { panel } = inWindow(() => page);
    await panel('Decoder').getByLabel('UID').fill('logger-log-1');
    await panel('Decoder').getByLabel('Frame').fill('{"t": 1772611200, "level": 123456.789}');
    const table = panel('Decoder').getByRole('table', { name: 'Values' });
    await table.getByRole('row', { name: /level.*12,345/ }).waitFor();
    const broken = await table.locator('thead th, [data-number]').evaluateAll((cells) =>
      cells.flatMap((cell: any) => {
        const range = cell.ownerDocument.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }: { top: number }) => top)).size > 1
          ? [cell.textContent]
          : [];
      }),
    );
    expect(broken).toEqual([]);
    await app.leave(page);
  });

  test('shows the result of each frame in a gateway’s call, and decodes them', async () => {
    const { customer } = app.people;
    const gateway = await createSensor(app.db, { customer, uid: 'gate-log-1' });
    await createSensor(app.db, {
      customer,
      uid: 'behind-log-1',
      columns: { tocsin_gateway_uuid: gateway.uuid },
      channels: [{ name: 'Level', channel_factor: 0.1 }],
    });
    const frames = [
      { uid: 'behind-log-1', level: 205, '9': 1, ack: 9999 },
      { uid: 'logger-log-1', '1': 3 },
      { uid: 'nobody-log-1', '1': 4 },
    ];
    const call = JSON.stringify({ frames });
    const answer = await fetch(`${app.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.token}` },
      body: call,
    });
    expect(answer.ok).toBe(true);
    const page = await app.visit('/admin/sensor-log?range=1h&q=gate-log', {
      as: app.people.manager,
      time: app.clock.now(),
    });
    const { panel, row } = inWindow(() => page);
    await page.getByRole('switch', { name: 'Live' }).check({ force: true });
    const decoded = row('gate-log-1').getByRole('cell').last();
    await decoded.getByText('behind-log-1 9 = 1 refused: no such channel, level = 205, ack 9999').waitFor();
    await decoded.getByText('logger-log-1 1 = 3 refused: not stored').waitFor();
    await decoded.getByText('nobody-log-1 1 = 4 refused: not stored').waitFor();
    await decoded.click();
    const part = (name: string) => panel('Decoder').getByRole('region', { name, exact: true });
    await part('behind-log-1').getByRole('row', { name: 'level Level 205 20.5 When received' }).waitFor();
    await part('behind-log-1').getByText('There is no command 9999 for this sensor').waitFor();
    await part('logger-log-1').getByText('is not behind the gateway gate-log-1').waitFor();
    await part('logger-log-1').getByRole('cell', { name: '–', exact: true }).waitFor();
    await part('nobody-log-1').getByText('No sensor with the uid nobody-log-1 is registered.').waitFor();
    await expectAccessible(page, '[data-panel]');
    await panel('Decoder').getByLabel('UID').fill('nobody-log-2');
    await panel('Decoder').getByLabel('Frame').fill('1=2');
    await part('Decoded').getByText('No sensor with the uid nobody-log-2 is registered.').waitFor();
    const many = Array.from({ length: 53 }, () => ({ uid: 'behind-log-1', '1': 7 }));
    await panel('Decoder').getByLabel('Frame').fill(JSON.stringify(many));
    await part('Decoded').getByText('And 3 more frames, decoded in the same way.').waitFor();
    expect(await part('behind-log-1').count()).toBe(50);
    await app.leave(page);
  });
});

describe('a sensor command', () => {
  let page: Page;
  const { panel, row, save, abandon, toast } = inWindow(() => page);

  test('is queued for many, saved as a template, received by the device and confirmed with its reply', async () => {
    const { customer } = app.people;
    const one = await createSensor(app.db, { customer, uid: 'command-a' });
    const two = await createSensor(app.db, { customer, uid: 'command-b' });
    page = await app.open('/admin/sensors?q=command-', {
      as: app.people.partner,
      prepare: (tab) => tab.clock.install(),
    });
    await page.getByText('command-b').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Send a command' }).click();
    const form = panel('New command');
    await save(form, 'Queue');
    await form.getByText('Enter the command in the device’s own syntax.').waitFor();
    await form.getByLabel('Command', { exact: true }).fill('valve=1');
    await form.getByLabel('Save as template').fill('Open the valve');
    await save(form, 'Save template');
    await form.getByRole('button', { name: 'Open the valve', exact: true }).waitFor();
    await expectAccessible(page, '[data-panel]');
    await save(form, 'Queue');
    await page.getByText('Command queued for 2 sensors.').waitFor();
    const first = row('command-a');
    await first.getByText('Queued').waitFor();

    const { commands } = await send('1=1', one);
    expect(commands).toMatchObject([{ command: 'valve=1' }]);
    await page.clock.fastForward(LOOKS_AGAIN);
    await first.getByText('Sent').waitFor();
    await send(`1=1;ack=${commands[0].id};reply=opened`, one);
    await page.clock.fastForward(LOOKS_AGAIN);
    await first.getByText('Confirmed').waitFor();
    await first.getByText('opened', { exact: true }).waitFor();
    // Devices and the log identify a command by its number. The list therefore shows this number, and a search for it
    // finds the command.
    const { id } = commands[0];
    expect(await first.locator('td[data-quiet]').first().textContent()).toBe(String(id));
    const { commands: others } = await send('1=1', two);
    await send(`1=1;ack=${others[0].id}`, two);
    await page.clock.fastForward(LOOKS_AGAIN);
    const second = row('command-b');
    await second.getByText('Confirmed').waitFor();
    const columns = await page.getByRole('columnheader').allTextContents();
    expect(await second.getByRole('cell').nth(columns.indexOf('Reply')).textContent()).toBe('–');
    await page.getByPlaceholder(/UID or number/).fill(String(id));
    await page.clock.fastForward(LOOKS_AGAIN);
    await second.waitFor({ state: 'detached' });
    await first.waitFor();
    await page.getByLabel('State').selectOption('confirmed');
    await expect.poll(() => page.locator('tr[data-row]').count()).toBe(1);

    await page.getByRole('button', { name: 'New command' }).click();
    await form.getByRole('button', { name: 'Open the valve', exact: true }).click();
    expect(await form.getByLabel('Command', { exact: true }).inputValue()).toBe('valve=1');
    await save(form, 'Queue');
    await form.getByText('Choose at least one sensor.').waitFor();
    await abandon(form);
  });

  test('is cancelled while queued, many at once, and one that was sent meanwhile says so', async () => {
    const { customer, partner } = app.people;
    const sensors = [];
    for (const uid of ['back-a', 'back-b', 'back-c']) {
      sensors.push(await createSensor(app.db, { customer, uid }));
      await insertRow(app.db, 'tocsin.reply_message', {
        tocsin_customer_uuid: customer.uuid,
        uid,
        reply_command: 'valve=1',
      });
    }
    const [left, , leaves] = sensors as [TestSensor, TestSensor, TestSensor];
    await send('1=1', left);
    await goTo(page, '/admin/sensor-command?q=back-');
    const cancelReply = page.getByRole('button', { name: 'Cancel commands' });
    await row('back-a').getByText('Sent').waitFor();
    await row('back-a').getByRole('checkbox').check();
    expect(await cancelReply.isDisabled()).toBe(true);
    await page.getByLabel('Select all on this page').check();
    await cancelReply.click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 2 commands?' });
    await dialog.getByText('Commands that are no longer queued are not cancelled.').waitFor();
    await expectAccessible(page, '[role=dialog]');
    await send('1=1', leaves);
    await dialog.getByRole('button', { name: 'Cancel commands' }).click();
    await dialog.getByText(/^back-c, No\. \d+:/).waitFor();
    await dialog.getByText(/This command was sent on .* and cannot be cancelled\./).waitFor();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await row('back-b').getByText(`Cancelled by ${partner.display_name}`).waitFor();
    await row('back-c').getByText('Sent').waitFor();
    await page.getByLabel('State').selectOption('cancelled');
    await expect.poll(() => page.locator('tr[data-row]').count()).toBe(1);
  });

  test('for a deleted sensor is refused at its field, and the text stays', async () => {
    const phone = await app.visit('/admin/sensor-command?record=new&uids=nobody-1', {
      as: app.people.manager,
      phone: true,
      dark: true,
    });
    const { panel, save } = inWindow(() => phone);
    const form = panel('New command');
    await form.getByLabel('Command', { exact: true }).fill('reboot');
    await form.getByText(/^In hours\./).waitFor();
    await form.getByLabel('Expires after').fill('-3');
    await save(form, 'Queue');
    await form.getByText('Enter a number of hours from 1 to 8,760').waitFor();
    await form.getByLabel('Expires after').fill('3');
    await save(form, 'Queue');
    await form.getByText('nobody-1 was refused. No sensor has this uid.').waitFor();
    await expectAccessible(phone, '[data-panel]');
    expect(await form.getByLabel('Command', { exact: true }).inputValue()).toBe('reboot');
    await app.leave(phone);
  });

  test('can be sent by a service account, which sees no people, rules, copies or assets', async () => {
    const { customer } = app.people;
    const site = await plantSite(app, 'Partner keeps it', 'PK-1');
    await goTo(page, `/admin/sites?record=${site.uuid}`);
    const form = panel('Partner keeps it');
    await form.getByLabel('Address').fill('Kept by a partner');
    expect(await form.getByRole('tab').allTextContents()).toEqual(['Details', 'Health']);
    expect(await form.getByText('Copy site').count()).toBe(0);
    await form.getByRole('combobox', { name: 'Level 2 group' }).fill('Nobody’s');
    await page.getByText('Nothing found. Check the spelling.').waitFor();
    await page.keyboard.press('Escape');
    await save(form);
    await toast('Partner keeps it was saved.').waitFor();
    await insertRow(app.db, 'tocsin.group', { tocsin_customer_uuid: customer.uuid, level: 5, name: 'Kelder' });
    await goTo(page, '/admin/groups');
    await row('Kelder').waitFor();
    expect(await page.getByRole('button', { name: 'New group' }).count()).toBe(0);
    await createSensor(app.db, { customer, uid: 'partner-1' });
    await goTo(page, '/admin/sensors');
    await page.getByRole('button', { name: 'New sensor' }).waitFor();
    await page.getByText('partner-1').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Site' }).count()).toBe(0);
  });
});
