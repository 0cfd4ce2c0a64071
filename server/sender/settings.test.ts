import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { StartError } from '../platform/start-error.ts';
import { receiptEndpoints, shownReceiptAddress, smsCallback } from './receipt/endpoints.ts';
import { readSenderSettings } from './settings.ts';

const read = (environment: Record<string, string>) =>
  readSenderSettings((name) => environment[name]?.trim() || undefined);
const account = `AC${'0a'.repeat(16)}`;
const twilio = { TOCSIN_TWILIO_ACCOUNT: account, TOCSIN_TWILIO_TOKEN: 'abc', TOCSIN_TWILIO_FROM: '+15005550006' };
const gateway = { TOCSIN_SMS_URL: 'https://sms.example.com/send?to={to}&text={text}' };
const whatsapp = { TOCSIN_WHATSAPP_TOKEN: 'EAAsecret', TOCSIN_WHATSAPP_PHONE_ID: '106540352242922' };

test('configures no sender without settings', () => {
  expect(read({})).toEqual({ sms: undefined, whatsapp: undefined, push: undefined });
  expect(readConfig({})).toMatchObject({ sms: undefined, whatsapp: undefined, push: undefined });
});

test('reads each sender with its defaults', () => {
  expect(readConfig({ ...gateway, ...whatsapp, TOCSIN_PUSH_SUBJECT: 'mailto:ops@plant.example' })).toMatchObject({
    sms: { by: 'gateway', method: 'GET', body: undefined, headers: {} },
    whatsapp: { template: undefined, language: 'en', url: 'https://graph.facebook.com/v23.0' },
    push: { subject: 'mailto:ops@plant.example', services: expect.arrayContaining(['fcm.googleapis.com']) },
  });
  expect(read({ ...twilio, TOCSIN_TWILIO_URL: 'http://localhost:1/' }).sms).toEqual({
    by: 'twilio',
    account,
    token: 'abc',
    from: '+15005550006',
    url: 'http://localhost:1',
  });
});

test('uses POST if there is a body', () => {
  const settings = { TOCSIN_SMS_URL: 'http://10.0.0.9/sms', TOCSIN_SMS_BODY: '{"to":"{to}","text":"{text}"}' };
  expect(read(settings).sms).toMatchObject({ method: 'POST' });
  expect(read({ ...settings, TOCSIN_SMS_METHOD: 'put' }).sms).toMatchObject({ method: 'PUT' });
});

test('reads receipt settings with their defaults', () => {
  const secret = '0123456789abcdef';
  expect(read({ ...gateway, TOCSIN_SMS_RECEIPT_SECRET: secret }).sms).toMatchObject({
    receipts: {
      ...{ secret, id: 'id', state: 'status', reason: undefined, delivered: ['delivered', 'delivrd'] },
      failed: expect.arrayContaining(['failed', 'undeliv']),
    },
  });
  const own = { TOCSIN_SMS_RECEIPT_ID: 'results[].id', TOCSIN_SMS_RECEIPT_DELIVERED: ' Arrived ,8' };
  expect(read({ ...gateway, ...own, TOCSIN_SMS_RECEIPT_SECRET: secret }).sms).toMatchObject({
    receipts: { id: 'results[].id', delivered: ['arrived', '8'] },
  });
  expect(read({ ...gateway }).sms).toMatchObject({ receipts: undefined });
  const meta = { TOCSIN_WHATSAPP_APP_SECRET: 'abc', TOCSIN_WHATSAPP_VERIFY_TOKEN: 'a-word-of-our-own' };
  expect(read({ ...whatsapp, ...meta }).whatsapp).toMatchObject({
    receipts: { appSecret: 'abc', verifyToken: 'a-word-of-our-own' },
  });
});

test('opens receipt endpoints only with the auth token, the public address or the secret', () => {
  const endpoints = (environment: Record<string, string>) =>
    receiptEndpoints(readConfig({ TOCSIN_PUBLIC_URL: 'https://tocsin.example', ...environment })).map(
      ({ route }) => route,
    );
  const key = { TOCSIN_TWILIO_TOKEN: `SK${'c2'.repeat(16)}:secret` };
  expect(endpoints({})).toEqual([]);
  expect(endpoints({ ...gateway, ...whatsapp })).toEqual([]);
  expect(endpoints(twilio)).toEqual(['/api/v1/receipts/twilio']);
  expect(endpoints({ ...twilio, TOCSIN_PUBLIC_URL: '' })).toEqual([]);
  expect(endpoints({ ...twilio, ...key })).toEqual([]);
  expect(endpoints({ ...twilio, ...key, TOCSIN_TWILIO_AUTH_TOKEN: 'abc' })).toEqual(['/api/v1/receipts/twilio']);
  const url = 'https://sms.example.com/send?to={to}&text={text}&report={receipt}';
  const config = readConfig({
    ...{ TOCSIN_SMS_URL: url, TOCSIN_SMS_RECEIPT_SECRET: '0123456789abcdef' },
    TOCSIN_PUBLIC_URL: 'https://tocsin.example/',
  });
  expect(smsCallback(config)).toBe('https://tocsin.example/api/v1/receipts/sms/0123456789abcdef');
  expect(shownReceiptAddress(config, 'sms'), 'without the secret').toBe('https://tocsin.example/api/v1/receipts/sms/');
  expect(shownReceiptAddress(config, 'email')).toBeUndefined();
});

describe('a wrong setting stops the start with a message that repeats no value', () => {
  const secret = 's3cret-value';
  const receipts = { TOCSIN_SMS_RECEIPT_SECRET: '0123456789abcdef' };
  test.each<[RegExp, Record<string, string>]>([
    [/either TOCSIN_SMS_URL or TOCSIN_TWILIO_ACCOUNT/, { ...gateway, ...twilio }],
    [/TOCSIN_SMS_BODY needs TOCSIN_SMS_URL/, { TOCSIN_SMS_BODY: secret }],
    [/TOCSIN_SMS_URL must look like/, { TOCSIN_SMS_URL: secret }],
    [/TOCSIN_SMS_URL must look like/, { TOCSIN_SMS_URL: `https://{to}.example.com/{text}?key=${secret}` }],
    [/TOCSIN_SMS_URL must look like/, { TOCSIN_SMS_URL: `ftp://user:${secret}@sms.example.com/{to}{text}` }],
    [
      /unknown placeholder in braces\. Use \{to\}/,
      { TOCSIN_SMS_URL: `https://sms.example.com/{to}/{text}/{${secret.replace('-', '')}}` },
    ],
    [/placeholder \{to\} for the phone number/, { TOCSIN_SMS_URL: `https://sms.example.com/?t={text}&key=${secret}` }],
    [/placeholder \{text\} for the message/, { TOCSIN_SMS_URL: `https://sms.example.com/?to={to}&key=${secret}` }],
    [/GET, POST or PUT/, { ...gateway, TOCSIN_SMS_METHOD: secret }],
    [/GET has no body/, { ...gateway, TOCSIN_SMS_METHOD: 'GET', TOCSIN_SMS_BODY: `key=${secret}` }],
    [/not valid JSON/, { ...gateway, TOCSIN_SMS_BODY: `{"key":"${secret}","to":{to}}` }],
    [
      /unknown placeholder in braces\. Use \{to\}/,
      { ...gateway, TOCSIN_SMS_BODY: `{"key":"${secret}","to":"{number}"}` },
    ],
    [/must be a JSON object/, { ...gateway, TOCSIN_SMS_HEADERS: `Authorization: ${secret}` }],
    [/must be a JSON object/, { ...gateway, TOCSIN_SMS_HEADERS: `["${secret}"]` }],
    [/must be a JSON object/, { ...gateway, TOCSIN_SMS_HEADERS: `{"${secret}":1}` }],
    [/not allowed in a header/, { ...gateway, TOCSIN_SMS_HEADERS: `{"A":"${secret}\\r\\nB: 1"}` }],
    [/that the server sets itself/, { ...gateway, TOCSIN_SMS_HEADERS: `{"Content-Length":"5","A":"${secret}"}` }],
    [/cannot contain \{text\}/, { ...gateway, TOCSIN_SMS_HEADERS: `{"A":"{text} ${secret}"}` }],
    [
      /multipart/,
      { ...gateway, TOCSIN_SMS_BODY: secret, TOCSIN_SMS_HEADERS: '{"content-type":"multipart/form-data"}' },
    ],
    [/TOCSIN_SMS_ID must be/, { ...gateway, TOCSIN_SMS_ID: `a b ${secret}` }],
    [/TOCSIN_SMS_ID is not a valid regular expression/, { ...gateway, TOCSIN_SMS_ID: `/(${secret}/` }],
    [/Set all of TOCSIN_TWILIO_ACCOUNT/, { TOCSIN_TWILIO_TOKEN: secret }],
    [/must be the account SID/, { ...twilio, TOCSIN_TWILIO_ACCOUNT: secret }],
    [/an API key as SK/, { ...twilio, TOCSIN_TWILIO_TOKEN: `SK${secret}` }],
    [/TOCSIN_TWILIO_FROM must be/, { ...twilio, TOCSIN_TWILIO_FROM: `${secret}: too long for a name` }],
    [/TOCSIN_TWILIO_URL must be/, { ...twilio, TOCSIN_TWILIO_URL: `https://user:${secret}@api.twilio.com` }],
    [/Set all of TOCSIN_WHATSAPP_TOKEN/, { TOCSIN_WHATSAPP_TOKEN: secret }],
    [/without spaces/, { ...whatsapp, TOCSIN_WHATSAPP_TOKEN: `${secret} b` }],
    [/digits only/, { ...whatsapp, TOCSIN_WHATSAPP_PHONE_ID: secret }],
    [/name of a template/, { ...whatsapp, TOCSIN_WHATSAPP_TEMPLATE: `${secret} 1` }],
    [/language code/, { ...whatsapp, TOCSIN_WHATSAPP_LANGUAGE: secret }],
    [/TOCSIN_SMS_RECEIPT_SECRET needs TOCSIN_SMS_URL/, { TOCSIN_SMS_RECEIPT_SECRET: secret }],
    [/TOCSIN_SMS_RECEIPT_ID needs TOCSIN_SMS_RECEIPT_SECRET/, { ...gateway, TOCSIN_SMS_RECEIPT_ID: 'id' }],
    [/must have 16 to 200 characters/, { ...gateway, TOCSIN_SMS_RECEIPT_SECRET: secret }],
    [/TOCSIN_SMS_RECEIPT_STATE must be/, { ...gateway, ...receipts, TOCSIN_SMS_RECEIPT_STATE: `a b ${secret}` }],
    [/share a word/, { ...gateway, ...receipts, TOCSIN_SMS_RECEIPT_DELIVERED: 'sent, Failed' }],
    [
      /\{receipt\} needs TOCSIN_SMS_RECEIPT_SECRET and/,
      { TOCSIN_SMS_URL: `${gateway.TOCSIN_SMS_URL}&r={receipt}&k=${secret}` },
    ],
    [/TOCSIN_TWILIO_AUTH_TOKEN needs/, { TOCSIN_TWILIO_AUTH_TOKEN: secret }],
    [/must be the auth token/, { ...twilio, TOCSIN_TWILIO_AUTH_TOKEN: `${secret} b` }],
    [/Set all of TOCSIN_WHATSAPP_APP_SECRET/, { ...whatsapp, TOCSIN_WHATSAPP_APP_SECRET: secret }],
    [
      /TOCSIN_WHATSAPP_APP_SECRET needs/,
      { TOCSIN_WHATSAPP_APP_SECRET: secret, TOCSIN_WHATSAPP_VERIFY_TOKEN: 'x'.repeat(16) },
    ],
    [
      /VERIFY_TOKEN must be one word of 16/,
      { ...whatsapp, TOCSIN_WHATSAPP_APP_SECRET: 'abc', TOCSIN_WHATSAPP_VERIFY_TOKEN: secret },
    ],
    [/TOCSIN_PUSH_SUBJECT must look like/, { TOCSIN_PUSH_SUBJECT: `${secret}@plant.example` }],
    [/TOCSIN_PUSH_SERVICES must be/, { TOCSIN_PUSH_SERVICES: `https://push.example/${secret}` }],
  ])('%s', (sentence, environment) => {
    const attempt = () => readConfig(environment);
    expect(attempt).toThrow(StartError);
    expect(attempt).toThrow(sentence);
    try {
      attempt();
    } catch (error) {
      expect((error as Error).message).not.toMatch(/s3cret/);
    }
  });
});
