import { describe, expect, test } from 'vitest';
import { fileCell, narrowedFileName, siteFileName, wallClock, wholeSeconds, writeTime } from './table.ts';

test.each([
  ['S-1', 'Quay 1', 'S-1-Quay-1'],
  ['S-2', 'Große Brücke "Süd" / ../', 'S-2-Gro-e-Brucke-Sud'],
  ['S-3', '水塔', 'S-3'],
  ['水', '水塔', '0a1b2c3d'],
  ['A/1', 'Quay', 'A-1-Quay-0a1b2c3d'],
])('names the file of the site %s, %s by %s', (id, name, called) =>
  expect(siteFileName({ uuid: '0a1b2c3d-0000-4000-8000-000000000000', site_id: id, name })).toBe(called),
);

test.each([
  [[], ''],
  [['Harbour', 'SMS', 'sent or delivered'], 'Harbour-SMS-sent-or-delivered'],
  [['with “Süd / ../”'], 'with-Sud'],
])('names a file filtered by %j by %s', (words, called) => expect(narrowedFileName(words)).toBe(called));

test('gives files different names if characters are left out or the text is cut', () => {
  const long = 'with “a very long text that somebody was looking for in all of the messages of a year';
  const called = [['水塔'], ['מגדל'], ['Nord 水'], [`${long} 1”`], [`${long} 2”`]].map(narrowedFileName);
  expect(new Set(called).size).toBe(called.length);
  for (const name of called) expect(name).toMatch(/^[A-Za-z0-9-]{8,70}$/);
});

test.each([
  [418.9, 418],
  [-0.4, 0],
  [null, null],
])('writes %j seconds as %j whole ones, truncated as on the page', (taken, cell) =>
  expect(fileCell(taken, wholeSeconds('Response time (s)'))).toBe(cell),
);

const zones = [
  'UTC',
  'Europe/London',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Pacific/Apia',
];

/** Returns a function that formats a time directly with Intl, to compare with the result of the tested code. */
function calendar(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const offset = part.timeZoneName === 'GMT' ? '+00:00' : part.timeZoneName?.slice(3);
    return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${offset}`;
  };
}

describe.each(zones)('in %s', (zone) => {
  test('writes every time of a year as Intl does, even around clock changes', () => {
    const slowly = calendar(zone);
    for (let at = Date.UTC(2025, 0, 1); at < Date.UTC(2026, 0, 2); at += 22_222_222) {
      const moment = new Date(at);
      expect(writeTime(moment, zone)).toBe(slowly(moment));
      const wall = slowly(moment).slice(0, 19).replace(' ', 'T');
      expect(wallClock(moment, zone).toISOString()).toBe(`${wall}.000Z`);
    }
  });
});

test('writes the repeated hour with different offsets', () => {
  expect(writeTime(new Date('2025-10-26T00:30:00Z'), 'Europe/Berlin')).toBe('2025-10-26 02:30:00 +02:00');
  expect(writeTime(new Date('2025-10-26T01:30:00.999Z'), 'Europe/Berlin')).toBe('2025-10-26 02:30:00 +01:00');
});

test('keeps the seconds of a time before 1970', () => {
  expect(writeTime(new Date('1969-07-20T20:17:40.5Z'), 'America/Chicago')).toBe('1969-07-20 15:17:40 -05:00');
});
