import { expect, test } from 'vitest';
import { commandSubscription, commandTopic, parseTopic, possibleUids } from './topic.ts';

test('parses group, message type, edge node and device', () => {
  expect(parseTopic('spBv1.0/Plant 1/NBIRTH/edge-1')).toEqual({
    group: 'Plant 1',
    type: 'NBIRTH',
    node: 'edge-1',
    device: undefined,
  });
  expect(parseTopic('spBv1.0/Plant/DDATA/edge-1/pump-7')).toEqual({
    group: 'Plant',
    type: 'DDATA',
    node: 'edge-1',
    device: 'pump-7',
  });
});

test.each([
  'spBv1.0/Plant/NCMD/edge-1',
  'spBv1.0/Plant/DCMD/edge-1/pump-7',
  'spBv1.0/STATE/host',
  'spBv1.0/Plant/NDATA/edge-1/pump-7',
  'spBv1.0/Plant/DDATA/edge-1',
  'spBv1.0/Plant/DDATA/edge-1/',
  'spBv1.0/Plant/DDATA/edge-1/pump-7/more',
  'spBv1.0//NDATA/edge-1',
  'spBv1.0/+/NDATA/edge-1',
  'spBv1.0/Plant/NDATA/#',
  'spAv1.0/Plant/NDATA/edge-1',
  'tocsin/edge-1/up',
])('returns undefined for %s', (topic) => {
  expect(parseTopic(topic)).toBeUndefined();
});

test('sends commands to the node, or to a device behind it', () => {
  expect(commandTopic({ group: 'Plant', node: 'edge-1', device: undefined })).toBe('spBv1.0/Plant/NCMD/edge-1');
  expect(commandTopic({ group: 'Plant', node: 'edge-1', device: 'pump-7' })).toBe('spBv1.0/Plant/DCMD/edge-1/pump-7');
});

test.each([
  ['spBv1.0/Plant/NCMD/edge-1', 'NCMD'],
  ['spBv1.0/Plant/NCMD/edge-1/#', 'NCMD'],
  ['spBv1.0/Plant/DCMD/edge-1/pump-7', 'DCMD'],
  ['spBv1.0/Plant/DCMD/edge-1/+', 'DCMD'],
  ['spBv1.0/Plant/DCMD/edge-1/#', 'DCMD'],
  ['spBv1.0/Plant/NCMD/edge-2', undefined],
  ['spBv1.0/Plant/NCMD/+', undefined],
  ['spBv1.0/+/NCMD/edge-1', undefined],
  ['spBv1.0/#', undefined],
  ['spBv1.0/Plant/DCMD/edge-1', undefined],
  ['spBv1.0/Plant/DCMD/+/pump-7', undefined],
  ['spBv1.0/Plant/NDATA/edge-1', undefined],
])('a subscription to %s covers commands of type %s', (filter, commands) => {
  expect(commandSubscription(filter, 'edge-1')).toBe(commands);
});

test('returns the name of a device, then the names of node and device, as possible uids', () => {
  expect(possibleUids({ node: 'edge-1', device: undefined })).toEqual(['edge-1']);
  expect(possibleUids({ node: 'edge-1', device: 'pump' })).toEqual(['pump', 'edge-1:pump']);
});
