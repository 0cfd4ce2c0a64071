import { expect, test } from 'vitest';
import {
  afterAsset,
  afterChannel,
  afterDatapoint,
  afterRule,
  afterRuleAlert,
  afterSensor,
  afterSite,
} from './setup-steps.ts';

const asset = { uuid: 'a', name: 'Wet well' };
const channel = { uuid: 'c', name: 'Level' };

test('after a saved record, opens the next form with this record filled in', () => {
  expect(afterSite({ uuid: 's', name: 'Kelder Road' })).toMatchObject({ label: 'Add asset', search: { site: 's' } });
  expect(afterSensor({ uuid: 'n', uid: 'KR-1' }, { asset: 'a' })).toMatchObject({
    label: 'Add channel',
    search: { record: 'n', channel: 'new', asset: 'a' },
  });
  expect(afterDatapoint({ uuid: 'd', name: 'Level' })).toMatchObject({
    label: 'Add rule',
    search: { datapoint: 'd' },
  });
  expect(afterRule({ name: 'Level high', siteUuid: 's' })).toMatchObject({
    label: 'Add recipients',
    search: { tab: 'alerts', site: 's', rule: 'Level high' },
  });
});

test('after an asset, offers to add what is missing: a sensor, a channel or a data point', () => {
  expect(afterAsset(asset, null)).toMatchObject({ label: 'Add sensor', search: { asset: 'a' } });
  expect(afterAsset(asset, { uuid: 'n', channels: 0 })).toMatchObject({
    label: 'Add channel',
    search: { record: 'n' },
  });
  expect(afterAsset(asset, { uuid: 'n', channels: 2 })).toMatchObject({
    label: 'Add data point',
    search: { asset: 'a' },
  });
});

test('after a channel, offers a data point, or an asset if the site has none', () => {
  expect(afterChannel(channel, 'n', { asset: 'a' })).toMatchObject({
    label: 'Add data point',
    search: { asset: 'a', sensor: 'n', input: 'c' },
  });
  expect(afterChannel(channel, 'n', { site: 's' })).toMatchObject({
    label: 'Add asset',
    search: { site: 's', sensor: 'n' },
  });
});

test('after recipients, offers a test value if exactly one sensor can send it', () => {
  expect(afterRuleAlert('Level high', 'n')).toMatchObject({ label: 'Send test value', search: { record: 'n' } });
  expect(afterRuleAlert('Silent', null)).toBeNull();
});
