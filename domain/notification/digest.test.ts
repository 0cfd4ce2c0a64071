import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Severity } from '../rule/priority.ts';
import { type DigestAddress, type DigestEntry, digestSentence, isStillWanted, planDigests } from './digest.ts';
import { METHOD, type MethodType } from './methods.ts';
import { addressKey } from './stages.ts';

const floods = new Map([
  ['flood', { place: 'Mill', beganAt: 0, endedAt: undefined, firstMessage: 'Mains failed', timeZone: 'UTC' }],
]);
const entry = (alarm: number, change: Partial<DigestEntry> = {}): DigestEntry => ({
  ...{
    alarmUuid: `alarm-${alarm}`,
    kind: 'alarm',
    audience: 'all',
    floodUuid: 'flood',
    severity: 'minor',
    site: 'Mill',
  },
  ...{ siteUuid: 'mill', isAcknowledged: false, isResolved: false, isQuiet: false },
  ...change,
});
const address = (name: string, method: MethodType = METHOD.sms): DigestAddress => ({
  ...{ personUuid: name, name, method, address: `${name}@plant.example` },
});
const everybody = () => true;

describe('digests', () => {
  test('report all alarms of a person in one digest per method', () => {
    const audiences = new Map([
      ['all', [address('Ann'), address('Ann', METHOD.email), address('Bob')]],
      ['ann', [address('Ann')]],
    ]);
    const entries = [entry(1), entry(2), entry(3, { audience: 'ann', severity: 'major' })];
    const digests = planDigests(entries, audiences, floods, everybody);
    expect(digests.map(({ name, method, texts }) => `${name} ${method} ${texts.subject}`)).toEqual([
      'Ann 3 MAJOR: Alarm flood at Mill: 3 new alarms (1 major, 2 minor)',
      'Ann 1 MINOR: Alarm flood at Mill: 2 new alarms (2 minor)',
      'Bob 3 MINOR: Alarm flood at Mill: 2 new alarms (2 minor)',
    ]);
  });

  test('replace another method only if they report the same alarms', () => {
    const audiences = new Map([
      ['all', [address('Ann'), address('Ann', METHOD.email)]],
      ['sms', [address('Ann')]],
    ]);
    const same = planDigests([entry(1)], audiences, floods, everybody);
    expect(same.map(({ others }) => others.length)).toEqual([1, 1]);
    const more = planDigests([entry(1), entry(2, { audience: 'sms' })], audiences, floods, everybody);
    expect(more.map(({ others }) => others.length)).toEqual([0, 0]);
  });

  test('count an alarm that two audiences share only once', () => {
    const audiences = new Map([
      ['all', [address('Ann')]],
      ['joined', [address('Ann')]],
    ]);
    const [digest] = planDigests([entry(1), entry(1, { audience: 'joined' })], audiences, floods, everybody);
    expect(digest?.texts.text).toContain('1 new alarm');
  });

  test('leave out people who are disabled', () => {
    const audiences = new Map([['all', [address('Ann'), address('Bob')]]]);
    const digests = planDigests([entry(1)], audiences, floods, (uuid) => uuid === 'Bob');
    expect(digests.map(({ name }) => name)).toEqual(['Bob']);
  });

  test('refer to their earliest alarm', () => {
    const audiences = new Map([
      ['late', [address('Ann')]],
      ['early', [address('Ann')]],
    ]);
    const entries = [entry(1, { audience: 'early' }), entry(2, { audience: 'late' })];
    expect(planDigests(entries, audiences, floods, everybody)[0]?.first.alarmUuid).toBe('alarm-1');
  });
});

test.each<[string, Partial<DigestEntry>, boolean]>([
  ['an opening of a resolved and acknowledged alarm', { isResolved: true, isAcknowledged: true }, true],
  ['an opening of an alarm that is shelved now', { isQuiet: true }, false],
  ['an escalation', { kind: 'escalation' }, true],
  ['an escalation of an acknowledged alarm', { kind: 'escalation', isAcknowledged: true }, false],
  ['an escalation of a resolved alarm', { kind: 'escalation', isResolved: true }, false],
  ['a reminder of a resolved alarm', { kind: 'reminder', isResolved: true }, false],
  ['a resolution', { kind: 'resolve', isResolved: true }, true],
])('%s is wanted in a digest: %j %s', (_, change, expected) => {
  expect(isStillWanted(entry(1, change))).toBe(expected);
});

test.each([
  [['Ann'], 'A digest reported the alarm to Ann.'],
  [['Ann', 'Ann', 'Bob'], 'A digest reported the alarm to Ann and Bob.'],
  [['Ann', 'Bob', 'Eva'], 'A digest reported the alarm to Ann, Bob and Eva.'],
  [['Ann', 'Bob', 'Eva', 'Tom'], 'A digest reported the alarm to Ann, Bob and 2 others.'],
])('the timeline names the recipients %j', (names, sentence) => {
  expect(digestSentence(entry(1), names)).toBe(sentence);
});

const people = ['Ann', 'Bob', 'Eva', 'Tom'].flatMap((name) => [address(name), address(name, METHOD.email)]);
const generated = fc.record({
  audiences: fc.array(fc.subarray(people, { minLength: 1 }), { minLength: 1, maxLength: 4 }),
  alarms: fc.array(
    fc.record({ audience: fc.nat(3), severity: fc.constantFrom<Severity>('major', 'minor', 'silent') }),
    {
      minLength: 1,
      maxLength: 30,
    },
  ),
  disabled: fc.subarray(['Ann', 'Bob', 'Eva', 'Tom']),
});

test('every active address gets exactly one digest, which reports exactly its alarms', () => {
  fc.assert(
    fc.property(generated, ({ audiences, alarms, disabled }) => {
      const named = new Map(audiences.map((addresses, index) => [`audience-${index}`, addresses]));
      const entries = alarms.map(({ audience, severity }, index) =>
        entry(index, { audience: `audience-${audience % audiences.length}`, severity }),
      );
      const digests = planDigests(entries, named, floods, (uuid) => !disabled.includes(uuid));
      const expected = new Map<string, string[]>();
      for (const { audience, alarmUuid } of entries) {
        for (const one of named.get(audience) ?? []) {
          if (disabled.includes(one.personUuid)) continue;
          expected.set(addressKey(one), [...(expected.get(addressKey(one)) ?? []), alarmUuid]);
        }
      }
      expect(digests.map(addressKey).toSorted()).toEqual([...expected.keys()].toSorted());
      for (const digest of digests) {
        const reported = digest.parts.flatMap((part) => part.entries.map(({ alarmUuid }) => alarmUuid));
        expect(reported.toSorted()).toEqual(expected.get(addressKey(digest))?.toSorted());
        expect(digest.texts.text).toContain(`${reported.length} new alarm`);
      }
    }),
  );
});
