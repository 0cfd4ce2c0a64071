import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { severities } from '../rule/priority.ts';
import { smsSegments } from '../sms.ts';
import { type DigestCount, type DigestFlood, digestTexts, LINK_LENGTH } from './digest-texts.ts';

const flood: DigestFlood = {
  place: 'Mill North',
  beganAt: Date.parse('2026-11-15T14:02:30Z'),
  endedAt: undefined,
  firstMessage: 'Mains power failed.',
  timeZone: 'Europe/London',
};
const count = (alarms: number, change: Partial<DigestCount> = {}): DigestCount => ({
  ...{ subject: 'opened', severity: 'minor', site: 'Weir', alarms },
  ...change,
});

describe('a digest', () => {
  test('names the first-out alarm, the counts by severity and the sites', () => {
    const counts = [count(20), count(4, { site: 'Mill' }), count(3, { severity: 'major' })];
    expect(digestTexts({ counts, floods: [flood] })).toEqual({
      severity: 'major',
      subject: 'MAJOR: Alarm flood at Mill North: 27 new alarms (3 major, 24 minor)',
      text: 'MAJOR: Alarm flood at Mill North since 14:02. First: Mains power failed. 27 new alarms (3 major, 24 minor). Sites: Weir (23), Mill (4).',
      sms: 'MAJOR: Alarm flood at Mill North since 14:02. First: Mains power failed. 27 new alarms (3 major, 24 minor). Sites: Weir (23), Mill (4).',
    });
  });

  test('counts escalated, reminded and resolved alarms separately', () => {
    const counts = [
      count(1),
      count(2, { subject: 'escalated' }),
      count(3, { subject: 'reminder' }),
      count(4, { subject: 'resolved' }),
    ];
    expect(digestTexts({ counts, floods: [flood] }).text).toContain(
      '1 new alarm (1 minor), 2 not acknowledged, 3 still open after shelving, 4 resolved. Site: Weir (10).',
    );
  });

  test('starts with RESOLVED if all its alarms resolved', () => {
    const endedAt = Date.parse('2026-11-15T14:40:00Z');
    const { text } = digestTexts({ counts: [count(4, { subject: 'resolved' })], floods: [{ ...flood, endedAt }] });
    expect(text).toBe(
      'RESOLVED (minor): Alarm flood at Mill North from 14:02 to 14:40. First: Mains power failed. Alarms: 4 resolved. Site: Weir (4).',
    );
  });

  test('names the oldest of several floods, and three of several sites', () => {
    const counts = ['A', 'B', 'C', 'D', 'E'].map((site, index) => count(index + 1, { site }));
    const { text } = digestTexts({ counts, floods: [flood, { ...flood, place: 'Dam' }] });
    expect(text).toContain('Alarm flood at Mill North and 1 more since 14:02.');
    expect(text).toContain('Sites: E (5), D (4), C (3), 2 more.');
  });

  test('keeps an SMS with accents in GSM by leaving them out', () => {
    const { sms } = digestTexts({ counts: [count(3)], floods: [{ ...flood, place: 'Łódź', firstMessage: 'Próg' }] });
    expect(sms).toContain('Alarm flood at Lodz since 14:02. First: Prog.');
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 600 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 600 }),
);
const counts = fc.array(
  fc.record({
    subject: fc.constantFrom('opened', 'resolved', 'escalated', 'reminder'),
    severity: fc.constantFrom(...severities),
    site: anyText,
    alarms: fc.integer({ min: 1, max: 1_000_000 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const floods = fc.array(
  fc.record({ place: anyText, firstMessage: anyText, endedAt: fc.constantFrom(undefined, flood.beganAt) }),
  { minLength: 1, maxLength: 3 },
);

test('an SMS has at most two segments with its link, whatever the names are', () => {
  fc.assert(
    fc.property(counts, floods, (chosen, named) => {
      const { sms } = digestTexts({ counts: chosen, floods: named.map((one) => ({ ...flood, ...one })) });
      expect(smsSegments(`${sms} ${'x'.repeat(LINK_LENGTH)}`).segments).toBeLessThanOrEqual(2);
      expect(sms.isWellFormed()).toBe(true);
    }),
  );
});
