import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smsSegments } from '../sms.ts';
import { answerTexts, type Choice, choiceQuestion, fullHint, reasonQuestion, smsHint } from './answer-texts.ts';

describe('the line that tells how to answer', () => {
  test('lists the reasons if they fit into the same number of segments', () => {
    expect(smsHint('CRITICAL: Mill: High level', [])).toBe('Reply 1=ack, 2 30=snooze 30 min');
    expect(smsHint('CRITICAL: Mill: High level', ['Rain', 'Pump blocked'])).toBe(
      'Reply 1=ack, 2 30=snooze 30 min, 3=Rain, 4=Pump blocked',
    );
    expect(smsHint('x'.repeat(110), ['Rain', 'Pump blocked'])).toBe('Reply 1=ack, 2 30=snooze 30 min');
    expect(smsHint('x'.repeat(140), ['Rain', 'Pump blocked'])).toBe('Reply 1=ack');
    expect(smsHint('x'.repeat(154), ['Rain', 'Pump blocked'])).toBe('1=ack');
    expect(smsHint('x'.repeat(155), ['Rain', 'Pump blocked'])).toBeUndefined();
    expect(fullHint(['Rain', 'Pump blocked'])).toBe('Reply 1=ack, 2 30=snooze 30 min, 3=Rain, 4=Pump blocked.');
  });

  test('never costs a segment', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.array(fc.string({ unit: 'grapheme' })), (text, reasons) => {
        const hint = smsHint(text, reasons);
        if (hint !== undefined) expect(smsSegments(`${text} ${hint}`).segments).toBe(smsSegments(text).segments);
      }),
    );
  });
});

const choice = (personName: string, alarmName: string): Choice => ({
  ...{ person: personName, personName, alarm: alarmName, alarmName },
});

test('a question names what is not known: the person, the alarm or both', () => {
  expect(choiceQuestion('1', [choice('Anna', 'Mill: High level'), choice('Ben', 'Mill: High level')])).toBe(
    'Who are you? Reply 1 A for Anna, 1 B for Ben. (Mill: High level)',
  );
  expect(choiceQuestion('2 30', [choice('Anna', 'Mill: High level'), choice('Anna', 'Weir: Low flow')])).toBe(
    'Which alarm? Reply 2 30 A for Mill: High level, 2 30 B for Weir: Low flow.',
  );
  expect(choiceQuestion('1', [choice('Anna', 'Mill: High level'), choice('Ben', 'Weir: Low flow')])).toBe(
    'Who are you, and which alarm? Reply 1 A for Anna, Mill: High level, 1 B for Ben, Weir: Low flow.',
  );
  const eight = Array.from({ length: 8 }, (_, place) => choice('Anna', `Alarm ${place}`));
  expect(choiceQuestion('1', eight)).toMatch(/1 F for Alarm 5\. 2 more: see the console\.$/);
});

test('a question about the reason repeats the letter of the alarm', () => {
  expect(reasonQuestion('Mill: High level', ['Rain', 'Test'])).toBe(
    'Which reason? Reply 3=Rain, 4=Test. Mill: High level',
  );
  expect(reasonQuestion('Mill: High level', ['Rain', 'Test'], 'B')).toBe(
    'Which reason? Reply 3 B=Rain, 4 B=Test. Mill: High level',
  );
});

test('a confirmation fits into one SMS even if the names are long', () => {
  const long = 'A very long name of an alarm '.repeat(20);
  for (const text of [
    answerTexts.acknowledged(long, 'Rain'),
    answerTexts.snoozed(long, '2026-03-02 09:00'),
    answerTexts.ended(long, '2026-03-02 09:00'),
    answerTexts.nothingOpen,
    answerTexts.unclear,
    answerTexts.noSuchReason(999_999),
    answerTexts.forbidden(long),
    answerTexts.unknown,
  ]) {
    expect(smsSegments(text).segments, text).toBe(1);
  }
});
