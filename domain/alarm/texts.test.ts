import { describe, expect, test } from 'vitest';
import { severities } from '../rule/priority.ts';
import { smsSegments } from '../sms.ts';
import {
  alarmMessage,
  alarmText,
  escalationText,
  includesValue,
  insideAgainText,
  outsideForText,
  resolvedText,
  silenceText,
  smsText,
  withSeverity,
  withSite,
} from './texts.ts';

const resolved = (seconds: number) =>
  resolvedText({ site: 'Mill', message: 'High level', openedAt: 0, resolvedAt: seconds * 1000, because: '' });

test.each([
  [40, '40 s'],
  [418, '6 min'],
  [3599, '59 min'],
  [4320, '1 h 12 min'],
  [100_800, '1 d 4 h'],
])('truncates %d s to %s, like the console', (seconds, words) => {
  expect(resolved(seconds)).toBe(`Mill: High level. After ${words}`);
  expect(escalationText('High level', seconds * 1000)).toBe(`Not acknowledged for ${words}. High level`);
  expect(silenceText(0, seconds * 1000)).toBe(`None of its sensors has sent data for ${words}.`);
});

test('puts the severity first, in characters of GSM 03.38', () => {
  expect(withSeverity('critical', 'Mill: High level')).toBe('CRITICAL: Mill: High level');
  expect(withSeverity('silent', 'Mill: Site silent')).toBe('SILENT: Mill: Site silent');
  expect(withSeverity('major', 'Mill: High level. After 5 min', true)).toBe(
    'RESOLVED (major): Mill: High level. After 5 min',
  );
  for (const severity of severities) expect(smsSegments(withSeverity(severity, '', true)).encoding).toBe('gsm');
});

test('drops the date if that saves an SMS segment', () => {
  const link = `https://plant.example/a/${'x'.repeat(50)}`;
  const told = (length: number) => `CRITICAL: Mill: ${'l'.repeat(length)}: 12 m, alarm above 4 m, at 2026-11-16 03:12`;
  const short = told(10);
  expect(smsText(short, link)).toBe(`${short} ${link}`);
  const full = told(160 - `${told(0)} ${link}`.length + 10);
  expect(smsSegments(`${full} ${link}`).segments).toBe(2);
  expect(smsText(full, link)).toBe(`${full.replace('2026-11-16 ', '')} ${link}`);
  expect(smsSegments(smsText(full, link)).segments).toBe(1);
});

test('says "at least", because the time outside may be longer than counted', () => {
  expect(outsideForText('limits', 60_999)).toBe(', out of limits for at least 60 s');
  expect(outsideForText('conditions', 60_000)).toBe(' for at least 60 s');
  expect(outsideForText('limits', 0)).toBe('');
});

test('writes a duration in GSM 03.38', () => {
  expect(smsSegments(resolved(4320)).encoding).toBe('gsm');
});

test('states the reason and time of an automatic resolution in one SMS', () => {
  const facts = {
    ...{ site: 'Mill', asset: 'Sump', datapoint: 'Level', value: -3.5 as number | null, limit: 'above 4 m', unit: 'm' },
    ...{ time: new Date('2026-11-16T03:12:00Z'), timeZone: 'Europe/Berlin' },
  };
  expect(insideAgainText('limits', facts, '')).toBe('inside its limits since 2026-11-16 04:12 (-3.5 m)');
  expect(insideAgainText('limits', { ...facts, value: null }, '')).toBe('inside its limits since 2026-11-16 04:12');
  expect(insideAgainText('digital', facts, 'Closed')).toBe('Closed since 2026-11-16 04:12');
  expect(insideAgainText('digital', facts, '')).toBe('normal since 2026-11-16 04:12');
  expect(insideAgainText('conditions', facts, '')).toBe('its conditions have not been met since 2026-11-16 04:12');
  const message = 'Level in the northern sump of the mill is far too high';
  const because = insideAgainText('limits', facts, '');
  const text = resolvedText({ site: 'Mill', message, openedAt: 0, resolvedAt: 100_800_000, because });
  expect(smsSegments(text)).toMatchObject({ encoding: 'gsm', segments: 1 });
});

test('appends up to four values of conditions and the time', () => {
  const facts = {
    ...{ site: 'Mill', asset: '', datapoint: '', value: null, limit: '', unit: '' },
    ...{ time: new Date('2026-11-16T03:12:00Z'), timeZone: 'UTC' },
  };
  const values = [
    'Sump Level: 0.31 m (below 0.4 m)',
    'Pump 1: running',
    'Pump 2: {site}',
    'Flow: 0',
    'Pressure: 2 bar',
  ];
  expect(alarmText('Dry run.', facts, values.slice(0, 2))).toBe(
    'Mill: Dry run. Sump Level: 0.31 m (below 0.4 m), Pump 1: running, at 2026-11-16 03:12',
  );
  expect(alarmText('Dry run at Mill', facts, [...values, 'Power: 3 kW'])).toBe(
    'Dry run at Mill. Sump Level: 0.31 m (below 0.4 m), Pump 1: running, Pump 2: {site}, Flow: 0, 2 more, at 2026-11-16 03:12',
  );
  expect(alarmText('Dry run', facts, [])).toBe('Mill: Dry run');
});

describe('the value in a message', () => {
  const facts = {
    ...{ site: 'Mill', asset: 'Sump', datapoint: 'Level', value: 0.4, limit: 'above 10.4 m', unit: 'm' },
    ...{ time: new Date('2026-11-16T03:12:00Z'), timeZone: 'UTC' },
  };
  const detail = 'Sump Level: 0.4 m, alarm above 10.4 m, at 2026-11-16 03:12';
  const textOf = (rule: string, values = facts) => {
    const templates = { rule, customer: null, name: 'High level' };
    return alarmText(alarmMessage(templates, values), values, [], includesValue(templates, values));
  };

  test('is added if only the limit has the same digits', () => {
    expect(textOf('Level is {limit}')).toBe(`Mill: Level is above 10.4 m. ${detail}`);
  });

  test('is added if only the text of the rule has the same digits', () => {
    expect(textOf('Below 0.4 m')).toBe(`Mill: Below 0.4 m. ${detail}`);
  });

  test('is not repeated if the message contains it with its unit', () => {
    expect(textOf('Level {value} {unit}')).toBe('Mill: Level 0.4 m');
    expect(textOf('Level {value}')).toBe(`Mill: Level 0.4. ${detail}`);
    expect(textOf('Level {value}', { ...facts, unit: '' })).toBe('Mill: Level 0.4');
  });
});

test('adds the site if the message has its name only inside another word', () => {
  expect(withSite('Mill', 'Windmill stands')).toBe('Mill: Windmill stands');
  expect(withSite('Pump 1', 'Pump 12 stands')).toBe('Pump 1: Pump 12 stands');
  expect(withSite('Mill', 'Mills of Mill: dry')).toBe('Mills of Mill: dry');
  expect(withSite('Zu\u0308rich', 'Zu\u0308rich stands')).toBe('Zu\u0308rich stands');
});
