/**
 * A Sparkplug B edge node that follows the specification. It sets its will, subscribes to commands, and sends its birth
 * message.
 */
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import protobuf from 'protobufjs';

/**
 * The published Sparkplug schema. The harness encodes messages with this schema instead of the product's code, so the
 * tests compare two implementations.
 */
const { root } = protobuf.parse(`
  syntax = "proto2";
  message Payload {
    message DataSet { optional uint64 num_of_columns = 1; repeated string columns = 2; }
    message Metric {
      optional string name = 1;
      optional uint64 alias = 2;
      optional uint64 timestamp = 3;
      optional uint32 datatype = 4;
      optional bool is_historical = 5;
      optional bool is_transient = 6;
      optional bool is_null = 7;
      oneof value {
        uint32 int_value = 10;
        uint64 long_value = 11;
        float float_value = 12;
        double double_value = 13;
        bool boolean_value = 14;
        string string_value = 15;
        bytes bytes_value = 16;
        DataSet dataset_value = 17;
      }
    }
    optional uint64 timestamp = 1;
    repeated Metric metrics = 2;
    optional uint64 seq = 3;
    optional string uuid = 4;
    optional bytes body = 5;
  }
`);
const Payload = root.lookupType('Payload');

export const datatypes = {
  Int8: 1,
  Int16: 2,
  Int32: 3,
  Int64: 4,
  UInt8: 5,
  UInt16: 6,
  UInt32: 7,
  UInt64: 8,
  Float: 9,
  Double: 10,
  Boolean: 11,
  String: 12,
  DateTime: 13,
  DataSet: 16,
} as const;

export interface SentMetric {
  name?: string;
  alias?: number;
  timestamp?: number;
  type: keyof typeof datatypes;
  /** Omits the data type of the metric. Sparkplug allows this in messages after the birth message. */
  untyped?: boolean;
  historical?: boolean;
  value: number | bigint | boolean | string | null;
}

export interface SentPayload {
  timestamp?: number;
  seq?: number;
  metrics: SentMetric[];
}

export function encode({ timestamp, seq, metrics }: SentPayload): Buffer {
  return Buffer.from(Payload.encode(Payload.fromObject({ timestamp, seq, metrics: metrics.map(wire) })).finish());
}

function wire({ name, alias, timestamp, type, untyped, historical, value }: SentMetric): object {
  const metric = { name, alias, timestamp, datatype: untyped ? undefined : datatypes[type], isHistorical: historical };
  if (value === null) return { ...metric, isNull: true };
  switch (type) {
    case 'Float':
      return { ...metric, floatValue: value };
    case 'Double':
      return { ...metric, doubleValue: value };
    case 'Boolean':
      return { ...metric, booleanValue: value };
    case 'String':
      return { ...metric, stringValue: value };
    case 'DataSet':
      return { ...metric, datasetValue: { numOfColumns: 1, columns: [String(value)] } };
    case 'Int64':
    case 'UInt64':
    case 'UInt32':
    case 'DateTime':
      return { ...metric, longValue: BigInt.asUintN(64, BigInt(value)).toString() };
    default:
      return { ...metric, intValue: Number(BigInt.asUintN(32, BigInt(value))) };
  }
}

export interface HeardCommand {
  topic: string;
  metrics: Record<string, unknown>;
}

export interface EdgeNodeOptions {
  uid: string;
  token: string;
  group?: string;
  birthNumber?: number;
  /** True for an edge node that does not subscribe to commands. */
  deaf?: boolean;
  client?: IClientOptions;
}

export class EdgeNode {
  readonly client: MqttClient;
  readonly heard: HeardCommand[] = [];
  readonly #uid: string;
  readonly #group: string;
  readonly #birthNumber: number;
  seq = 0;

  private constructor(client: MqttClient, { uid, group = 'Plant', birthNumber = 0 }: EdgeNodeOptions) {
    this.client = client;
    this.#uid = uid;
    this.#group = group;
    this.#birthNumber = birthNumber;
    client.on('message', (topic, payload) => {
      const { metrics } = Payload.toObject(Payload.decode(payload), { longs: Number }) as { metrics: WireCommand[] };
      const named = metrics.map(({ name, ...rest }) => [
        name,
        rest.booleanValue ?? rest.stringValue ?? rest.longValue ?? rest.intValue,
      ]);
      this.heard.push({ topic, metrics: Object.fromEntries(named) });
    });
  }

  static async connect(url: string, options: EdgeNodeOptions): Promise<EdgeNode> {
    const { uid, token, group = 'Plant', birthNumber = 0 } = options;
    const client = await connectAsync(
      url,
      {
        username: uid,
        password: token,
        reconnectPeriod: 0,
        connectTimeout: 5000,
        will: { topic: `spBv1.0/${group}/NDEATH/${uid}`, payload: death(birthNumber), qos: 1, retain: false },
        ...options.client,
      },
      false,
    );
    client.on('error', () => {});
    const node = new EdgeNode(client, options);
    if (!options.deaf) {
      await client.subscribeAsync([`spBv1.0/${group}/NCMD/${uid}`, `spBv1.0/${group}/DCMD/${uid}/+`], { qos: 1 });
    }
    return node;
  }

  topic(type: string, device?: string): string {
    return `spBv1.0/${this.#group}/${type}/${this.#uid}${device === undefined ? '' : `/${device}`}`;
  }

  async birth(metrics: SentMetric[] = [], timestamp?: number): Promise<void> {
    this.seq = 0;
    const own: SentMetric[] = [
      { name: 'bdSeq', type: 'UInt64', value: this.#birthNumber },
      { name: 'Node Control/Rebirth', type: 'Boolean', value: false },
    ];
    await this.say('NBIRTH', undefined, [...own, ...metrics], timestamp);
  }

  /** Publishes with the next sequence number. Resolves when the broker acknowledges the message. */
  async say(type: string, device: string | undefined, metrics: SentMetric[], timestamp?: number): Promise<void> {
    const payload = encode({ ...(timestamp !== undefined && { timestamp }), seq: this.seq, metrics });
    this.seq = (this.seq + 1) % 256;
    await this.client.publishAsync(this.topic(type, device), payload, { qos: 1 });
  }

  end(): void {
    this.client.end(true);
  }
}

interface WireCommand {
  name: string;
  booleanValue?: boolean;
  stringValue?: string;
  longValue?: number;
  intValue?: number;
}

export function death(birthNumber: number): Buffer {
  return encode({ metrics: [{ name: 'bdSeq', type: 'UInt64', value: birthNumber }] });
}
