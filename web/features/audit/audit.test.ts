import { describe, expect, test } from 'vitest';
import { changesOf, keysIn } from './audit-diff.ts';
import { actionWords, fieldWords, goneNames, joinedBy, peopleOf, subjectOf } from './audit-words.ts';

const site = {
  uuid: '689a5353-0f0f-5b74-8cde-a0ed153c7702',
  name: 'Brackenhall WTW',
  phone_number: '+44 7700 900113',
  description: '',
  status: true,
  last_updated: '2026-04-08T03:15:58+00:00',
};

describe('the changed fields', () => {
  test('are only those that differ, without time stamps', () => {
    const changes = changesOf(site, { ...site, phone_number: '+44 7700 900537', last_updated: '2026-08-31' });
    expect(changes).toEqual([
      { column: 'phone_number', label: 'Phone number', before: '+44 7700 900113', after: '+44 7700 900537' },
    ]);
  });

  test('include a cleared field with an empty text', () => {
    expect(changesOf(site, { ...site, name: null })[0]).toMatchObject({ before: 'Brackenhall WTW', after: '' });
  });

  test('of a created row are all non-empty fields, with null before', () => {
    const changes = changesOf(null, site);
    expect(changes.map((change) => change.label)).toEqual(['Name', 'Phone number', 'Status']);
    expect(changes.every((change) => change.before === null)).toBe(true);
    expect(changes.find((change) => change.column === 'status')?.after).toBe('Yes');
  });

  test('of a deleted row have null after', () => {
    expect(changesOf(site, null).find((change) => change.column === 'name')).toMatchObject({
      before: 'Brackenhall WTW',
      after: null,
    });
  });

  test('include nested changes, as JSON', () => {
    expect(changesOf({ rule: { all: [1] } }, { rule: { all: [1] } })).toEqual([]);
    expect(changesOf({ rule: { all: [1] } }, { rule: { all: [2] } })[0]?.after).toBe('{"all":[2]}');
  });

  test.each([
    [null, null],
    ['x', 7],
    [[], []],
  ])('are empty for the invalid rows %j and %j', (before, after) => {
    expect(changesOf(before, after)).toEqual([]);
  });
});

test('finds each uuid on both sides once', () => {
  const one = '045bb152-8c15-5026-a970-c5ca7aeb450e';
  const other = 'ef3e2d03-d3e6-5158-a41d-04c91f5c20a2';
  const changes = changesOf(
    { tocsin_site_uuid: other, tocsin_asset_uuid: one, name: 'x' },
    { tocsin_site_uuid: one, tocsin_asset_uuid: null, name: 'y' },
  );
  expect(keysIn(changes)).toEqual([one, other]);
});

describe('the text of a change', () => {
  test.each([
    ['site.update', 'Site changed'],
    ['site_user.create', 'Site-user link created'],
    ['asset_datapoint.delete', 'Data point deleted'],
    ['sign_in_failed.record', 'Sign-in failed'],
    ['password_link.request', 'Password link requested'],
    ['weather.forecast', 'weather.forecast'],
    ['', ''],
  ])('%j has the text %j', (action, words) => expect(actionWords(action)).toBe(words));

  test('uses the latest name of the record', () => {
    expect(subjectOf({ name: 'Old' }, { name: 'New' })).toBe('New');
    expect(subjectOf({ name: 'Old' }, null)).toBe('Old');
    expect(subjectOf(null, { name: '', uid: 'NM-1' })).toBe('NM-1');
    expect(subjectOf(null, null)).toBe('');
  });

  test('shows address and device of a sign-in', () => {
    const after = {
      display_name: 'Vera Long',
      email: 'v@north.example',
      address: '192.0.2.9',
      device: 'Edge on Windows',
    };
    expect(subjectOf(null, after)).toBe('Vera Long, 192.0.2.9, Edge on Windows');
  });

  test('names a link by the records it joins, if their names are known', () => {
    const link = { uuid: 'l', tocsin_site_uuid: 's', tocsin_user_uuid: 'u' };
    expect(joinedBy(null, link)).toEqual(['u', 's']);
    expect(
      subjectOf(
        link,
        null,
        new Map([
          ['s', 'Kelder Road PS'],
          ['u', 'Ruth Adeyemi'],
          ['l', 'Not this'],
        ]),
      ),
    ).toBe('Ruth Adeyemi, Kelder Road PS');
    expect(subjectOf(null, link, new Map([['s', 'Kelder Road PS']]))).toBe('Kelder Road PS');
    expect(subjectOf(null, link)).toBe('');
  });

  test('adds the site or sensor to a named record', () => {
    const rule = { name: 'Battery voltage low', tocsin_site_uuid: 's', tocsin_asset_uuid: 'a' };
    expect(joinedBy(rule, { ...rule, debounce: 60 })).toEqual(['s']);
    expect(subjectOf(rule, rule, new Map([['s', 'Coldharbour PS 1']]))).toBe('Battery voltage low, Coldharbour PS 1');
    expect(subjectOf(rule, rule)).toBe('Battery voltage low');
    expect(joinedBy(null, { name: 'Level', tocsin_sensor_uuid: 'm' })).toEqual(['m']);
    expect(joinedBy(null, { name: 'Kelder Road PS', uuid: 's' })).toEqual([]);
  });

  test('names a deleted record as its last audit row did', () => {
    const gone = goneNames([
      { rowKey: 'u', before: { display_name: 'Ruth Adeyemi-Hall' }, after: null },
      { rowKey: 'u', before: null, after: { display_name: 'Ruth Adeyemi' } },
      { rowKey: 'x', before: {}, after: null },
    ]);
    expect([...gone]).toEqual([['u', 'Ruth Adeyemi-Hall']]);
  });

  test('offers deleted users with audit rows in the filter', () => {
    const users = [{ uuid: 'a', displayName: 'Ann' }];
    const recorded = [
      { uuid: 'a', name: 'Anna' },
      { uuid: 'b', name: 'Ben' },
    ];
    expect(peopleOf(users, recorded)).toEqual([
      { value: 'a', label: 'Ann' },
      { value: 'b', label: 'Ben, deleted' },
    ]);
  });

  test.each([
    ['tocsin_health_duration_hours', 'Health duration hours'],
    ['site_id', 'Site ID'],
    ['tocsin_group5_uuid', 'Group 5'],
    ['tocsin_site_uuid', 'Site'],
    ['uuid', 'UUID'],
    ['sms_notification', 'SMS notification'],
  ])('%s has the label %s', (column, words) => expect(fieldWords(column)).toBe(words));
});
