import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METHOD } from '../../domain/notification/methods.ts';
import { alarmLink, checkAlarmLink, digestAddress, digestConsoleAddress, LINK_DAYS } from './link.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const uuid = '00112233-4455-6677-8899-aabbccddeeff';
const sent = new Date('2026-03-02T08:00:00Z');
/** A link in the format that every version so far has used. Links in sent messages must stay valid after an upgrade. */
const LINK = 'ABEiM0RVZneImaq7zN3u_wNprn4AnlFJQVaGlomC9rrz4EVLoQ';

test('writes and accepts links in the format of earlier versions', () => {
  expect(alarmLink(key, uuid, METHOD.sms, sent)).toBe(LINK);
  expect(checkAlarmLink(key, LINK, uuid, sent)).toEqual({ ok: true, method: 'sms' });
  expect(checkAlarmLink(key, LINK, uuid.replaceAll('-', '').toUpperCase(), sent)).toEqual({ ok: true, method: 'sms' });
});

test('accepts a link until it expires', () => {
  const end = sent.getTime() + LINK_DAYS * 86_400_000;
  expect(checkAlarmLink(key, LINK, uuid, new Date(end))).toEqual({ ok: true, method: 'sms' });
  expect(checkAlarmLink(key, LINK, uuid, new Date(end + 1))).toEqual({ ok: false, because: 'expired' });
});

test('rejects every link with one changed character, another alarm or another key', () => {
  const invalid = { ok: false, because: 'invalid' };
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ';
  fc.assert(
    fc.property(fc.nat(LINK.length - 1), fc.constantFrom(...letters), (place, letter) => {
      fc.pre(LINK[place] !== letter);
      const changed = LINK.slice(0, place) + letter + LINK.slice(place + 1);
      expect(checkAlarmLink(key, changed, uuid, sent)).toEqual(invalid);
    }),
  );
  expect(checkAlarmLink(key, LINK, uuid.replace('0', '1'), sent)).toEqual(invalid);
  expect(checkAlarmLink(createSecretKey(Buffer.alloc(32, 8)), LINK, uuid, sent)).toEqual(invalid);
  for (const link of ['', 'x', '%%%', LINK.slice(1), `${LINK}A`, `${LINK}=`]) {
    expect(checkAlarmLink(key, link, uuid, sent), link).toEqual(invalid);
  }
});

test('the link of a digest opens the list of its alarms', () => {
  const link = digestAddress('https://tocsin.example/', uuid);
  expect(link).toMatch(/^https:\/\/tocsin\.example\/d\/[\w-]{22}$/);
  expect(digestConsoleAddress(link.split('/').at(-1) as string)).toBe(`/dashboard/alarms?show=all&digest=${uuid}`);
  expect(digestConsoleAddress('nonsense')).toBeUndefined();
});
