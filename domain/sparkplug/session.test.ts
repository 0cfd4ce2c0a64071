import { describe, expect, test } from 'vitest';
import type { RawMetric, SparkplugPayload } from './payload.ts';
import { type SessionResult, SparkplugSession } from './session.ts';

const INT32 = 3;
const DOUBLE = 10;

const metric = (values: Partial<RawMetric>): RawMetric => ({
  name: undefined,
  alias: undefined,
  timestamp: undefined,
  datatype: undefined,
  historical: false,
  value: { in: 'double', number: 1 },
  ...values,
});
const payload = (seq: number | undefined, ...metrics: RawMetric[]): SparkplugPayload => ({
  timestamp: undefined,
  seq,
  metrics,
});
const level = metric({ name: 'Level', alias: '1', datatype: DOUBLE });
const birthNumber = (number: bigint) => metric({ name: 'bdSeq', datatype: 8, value: { in: 'long', bits: number } });

function born(number = 4n): SparkplugSession {
  const session = new SparkplugSession();
  session.receive({ type: 'NBIRTH', device: undefined }, payload(0, birthNumber(number), level));
  return session;
}

const data = (session: SparkplugSession, seq: number | undefined, ...metrics: RawMetric[]): SessionResult =>
  session.receive({ type: 'NDATA', device: undefined }, payload(seq, ...metrics));

describe('aliases', () => {
  test('refer to the last birth, and a new birth drops the old ones', () => {
    const session = born();
    expect(data(session, 1, metric({ alias: '1' })).metrics).toEqual([
      { name: 'Level', alias: 1, type: 'Double', value: 1 },
    ]);
    const flow = metric({ name: 'Flow', alias: '2', datatype: DOUBLE });
    session.receive({ type: 'NBIRTH', device: undefined }, payload(0, flow));
    const after = data(session, 1, metric({ alias: '1' }), metric({ alias: '2' }));
    expect(after.metrics).toEqual([
      { alias: 1, value: 1 },
      { name: 'Flow', alias: 2, type: 'Double', value: 1 },
    ]);
    expect(after.wantsBirth).toBe(true);
  });

  test('are separate for each device', () => {
    const session = born();
    const flow = metric({ name: 'Flow', alias: '1', datatype: DOUBLE });
    session.receive({ type: 'DBIRTH', device: 'pump' }, payload(1, flow));
    const said = session.receive({ type: 'DDATA', device: 'pump' }, payload(2, metric({ alias: '1' })));
    expect(said).toMatchObject({ metrics: [{ name: 'Flow' }], wantsBirth: false, notes: [] });
    expect(data(session, 3, metric({ alias: '1' })).metrics).toMatchObject([{ name: 'Level' }]);
  });

  test('are distinguished even beyond the safe integers', () => {
    const session = new SparkplugSession();
    const [one, other] = ['9007199254740992', '9007199254740993'];
    const birth = payload(0, metric({ name: 'One', alias: one }), metric({ name: 'Other', alias: other }));
    session.receive({ type: 'NBIRTH', device: undefined }, birth);
    const { metrics } = data(session, 1, metric({ alias: one }), metric({ alias: other }));
    expect(metrics.map(({ name }) => name)).toEqual(['One', 'Other']);
  });

  test('are not resolved before a birth, which the server requests', () => {
    const heard = data(new SparkplugSession(), 7, metric({ alias: '1' }), metric({ name: 'Flow' }));
    expect(heard.metrics).toEqual([
      { alias: 1, value: 1 },
      { name: 'Flow', value: 1 },
    ]);
    expect(heard).toMatchObject({ wantsBirth: true, notes: ['No birth message of this edge node was received.'] });
  });

  test('of a device without a birth make the server request one', () => {
    const heard = born().receive({ type: 'DDATA', device: 'pump' }, payload(1, metric({ name: 'Flow' })));
    expect(heard).toMatchObject({ wantsBirth: true, notes: ['No birth message of this device was received.'] });
  });
});

test('evicts the device with the oldest birth when a node has too many metrics', () => {
  const session = born();
  const metrics = Array.from({ length: 999 }, (_, index) =>
    metric({ name: `m${index}`, alias: `${index}`, datatype: DOUBLE }),
  );
  for (let index = 0; index < 21; index += 1) {
    session.receive({ type: 'DBIRTH', device: `device ${index}` }, payload(index + 1, ...metrics));
  }
  const [first, second] = ['device 0', 'device 1'].map((device, index) =>
    session.receive({ type: 'DDATA', device }, payload(22 + index, metric({ alias: '5' }))),
  );
  expect(first).toMatchObject({ wantsBirth: true, metrics: [{ alias: 5 }] });
  expect(second).toMatchObject({ wantsBirth: false, metrics: [{ name: 'm5' }] });
});

describe('integers', () => {
  const minusFive = { in: 'int', bits: 0xfffffffbn } as const;

  test('are read by the type of the metric or of its birth', () => {
    const session = new SparkplugSession();
    const birth = payload(0, metric({ name: 'Temp', alias: '1', datatype: INT32, value: minusFive }));
    session.receive({ type: 'NBIRTH', device: undefined }, birth);
    expect(data(session, 1, metric({ alias: '1', value: minusFive })).metrics).toMatchObject([{ value: -5 }]);
    expect(data(session, 2, metric({ name: 'Temp', value: minusFive })).metrics).toMatchObject([{ value: -5 }]);
    const unsigned = metric({ name: 'Count', datatype: 7, value: minusFive });
    expect(data(session, 3, unsigned).metrics).toMatchObject([{ value: 4294967291 }]);
    // For an 8-bit integer, some devices write only the eight bits; others sign-extend the value to the whole field.
    const short = metric({ name: 'Short', datatype: 1, value: { in: 'int', bits: 0xfbn } });
    expect(data(session, 4, short).metrics).toMatchObject([{ value: -5 }]);
  });

  test('are not read without a known type, because -5 and 4,294,967,291 have the same bits', () => {
    const heard = data(born(), 1, metric({ name: 'Temp', value: minusFive }));
    expect(heard.metrics).toEqual([{ name: 'Temp', unread: 'no-type' }]);
    expect(heard.wantsBirth).toBe(true);
  });
});

describe('sequence numbers', () => {
  test('wrap from 255 to 0', () => {
    const session = born();
    for (let number = 1; number < 600; number += 1) {
      expect(data(session, number % 256, level)).toMatchObject({ wantsBirth: false, notes: [] });
    }
  });

  test('with a gap add a note and request one birth', () => {
    const session = born();
    expect(data(session, 3, level)).toMatchObject({
      wantsBirth: true,
      notes: ['Messages were lost before this one: sequence number 3 followed 0.'],
    });
    expect(data(session, 4, level)).toMatchObject({ wantsBirth: false, notes: [] });
  });

  test('are shared by the node and all its devices', () => {
    const session = born();
    session.receive({ type: 'DBIRTH', device: 'pump' }, payload(1, level));
    expect(data(session, 2, level).wantsBirth).toBe(false);
    expect(session.receive({ type: 'DDATA', device: 'pump' }, payload(4, level)).wantsBirth).toBe(true);
  });

  test('are not checked for a redelivered message, nor after an unreadable one', () => {
    const session = born();
    data(session, 1, level);
    expect(session.receive({ type: 'NDATA', device: undefined }, payload(1, level), true).wantsBirth).toBe(false);
    expect(data(session, 2, level).wantsBirth).toBe(false);
    session.skipMessage();
    expect(data(session, 4, level).wantsBirth).toBe(false);
  });
});

describe('a death', () => {
  test('clears the session and does not count as contact', () => {
    const session = born(4n);
    const heard = session.receive({ type: 'NDEATH', device: undefined }, payload(undefined, birthNumber(4n)));
    expect(heard).toMatchObject({ offline: true, notes: ['The edge node and all devices behind it went offline.'] });
    expect(data(session, 1, metric({ alias: '1' })).wantsBirth).toBe(true);
  });

  test('of an earlier session changes nothing', () => {
    const session = born(4n);
    const heard = session.receive({ type: 'NDEATH', device: undefined }, payload(undefined, birthNumber(3n)));
    expect(heard).toMatchObject({ offline: true, wantsBirth: false });
    expect(heard.notes).toEqual([
      'This death message belongs to an earlier session; the edge node has reconnected since.',
    ]);
    expect(data(session, 1, metric({ alias: '1' })).metrics).toMatchObject([{ name: 'Level' }]);
  });

  test('of a device keeps the node and its other devices', () => {
    const session = born();
    for (const [index, device] of ['one', 'two'].entries()) {
      session.receive({ type: 'DBIRTH', device }, payload(index + 1, level));
    }
    const heard = session.receive({ type: 'DDEATH', device: 'one' }, payload(3));
    expect(heard).toMatchObject({ offline: true, wantsBirth: false, notes: ['The device went offline.'] });
    expect(session.receive({ type: 'DDATA', device: 'two' }, payload(4, metric({ alias: '1' }))).wantsBirth).toBe(
      false,
    );
    expect(session.receive({ type: 'DDATA', device: 'one' }, payload(5, metric({ alias: '1' }))).wantsBirth).toBe(true);
  });
});
