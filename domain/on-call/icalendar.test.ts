import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { icalendar } from './icalendar.ts';

const AT = Date.UTC(2026, 10, 12, 14, 32);

function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
}

test('another parser reads every text and time', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 120 }),
    fc.string({ unit: fc.constantFrom('\\', ';', ',', '\n', '\r', '"', ':', '電', '👩‍🔧', 'a', ' '), maxLength: 200 }),
  );
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 200_000 }), (summary, description, hours) => {
      const event = { uid: 'layer-1@tocsin', startsAt: AT + hours * 3_600_000, endsAt: AT + hours * 3_600_000 + 1000 };
      const written = icalendar(summary, [{ ...event, summary, description }], AT);
      for (const line of written.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const [read] = eventsOf(written);
      const expected = (given: string) =>
        given.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '');
      expect(read?.summary ?? '').toBe(expected(summary));
      expect(read?.description ?? '').toBe(expected(description));
      expect(read?.startDate.toJSDate().getTime()).toBe(event.startsAt);
      expect(read?.endDate.toJSDate().getTime()).toBe(event.endsAt);
    }),
    { numRuns: 500 },
  );
});

test('a text cannot add a line of its own', () => {
  const summary = 'Primary\r\nEND:VEVENT\r\nBEGIN:VEVENT\nSUMMARY:forged';
  const events = eventsOf(
    icalendar('Rota', [{ uid: 'a', startsAt: AT, endsAt: AT + 1000, summary, description: '' }], AT),
  );
  expect(events.map((event) => event.summary)).toEqual([summary.replaceAll('\r\n', '\n')]);
});
