import type { DeviceEndpoints } from './sensor.queries.ts';

export interface Example {
  name: string;
  text: string;
}

interface Place {
  /** Base URL of the console. Devices send HTTP requests to the same address. */
  origin: string;
  hostname: string;
  endpoints: DeviceEndpoints;
}

/** Returns the content of the QR code: address, uid and token. */
export function qrText(origin: string, uid: string, token: string): string {
  return JSON.stringify({ url: ingestUrl(origin, uid), uid, token });
}

function ingestUrl(origin: string, uid: string): string {
  return `${origin}/api/v1/ingest/${encodeURIComponent(uid)}`;
}

/** Value that an example command sends, and the number of the channel. */
export interface Sent {
  channel: number;
  value: number;
}

interface Written {
  /** Frame as a shell argument, including its quotes. */
  body: string;
  /** Frame escaped so that it can be put between double quotes. */
  line: string;
  type: string;
}

/**
 * Formats a value in the sensor's frame format. With auto-detection, HTTP uses JSON and other protocols use key=value.
 */
function written(format: string, protocol: 'http' | 'text', { channel, value }: Sent): Written {
  if (format === 'csv') {
    // A CSV line without a header contains the time and then the values of all channels. A missing value is left empty.
    const line = `$(date -u +%FT%TZ)${','.repeat(channel)}${value}`;
    return { body: `"${line}"`, line, type: 'text/csv' };
  }
  if (format === 'json' || (format !== 'key-value' && protocol === 'http')) {
    const frame = `{"${channel}": ${value}}`;
    return { body: `'${frame}'`, line: frame.replaceAll('"', '\\"'), type: 'application/json' };
  }
  const pair = `${channel}=${value}`;
  return { body: `'${pair}'`, line: pair, type: 'text/plain' };
}

/**
 * Returns a command that sends a value of one channel by HTTP. If the token is unknown, the command contains a
 * variable.
 */
export function curlCommand(
  origin: string,
  uid: string,
  sent: Sent,
  { token = '$TOKEN', format = 'auto' } = {},
): string {
  const { body, type } = written(format, 'http', sent);
  return `curl -H "Authorization: Bearer ${token}" -H "Content-Type: ${type}" -d ${body} ${ingestUrl(origin, uid)}`;
}

export interface ExampleDevice {
  uid: string;
  /** Token of the sensor, known only right after it was created. */
  token?: string | undefined;
  hasToken?: boolean;
  /** Uid of the gateway that forwards the sensor's frames, if any. */
  gateway?: string | undefined;
  /** Frame format; auto-detected if omitted. */
  format?: string;
}

/** Explains how to replace the variables in the commands. Empty if the commands contain none. */
export function tokenHint({ token, hasToken = true, gateway }: ExampleDevice): string {
  const isOwnMissing = token === undefined && (hasToken || gateway === undefined);
  return [
    gateway === undefined ? '' : `Replace $GATEWAY_TOKEN with the token of ${gateway}.`,
    isOwnMissing ? 'Replace $TOKEN with the token of this sensor.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Returns commands that send a frame. The command for the gateway comes first. A sensor with its own token also has a
 * command for each protocol.
 */
export function examplesFor(
  place: Place,
  { uid, token = '$TOKEN', hasToken = true, gateway, format = 'auto' }: ExampleDevice,
  sent: Sent,
): Example[] {
  const own = hasToken || gateway === undefined ? ownExamples(place, uid, token, format, sent) : [];
  return gateway === undefined ? own : [gatewayExample(place, uid, gateway, sent), ...own];
}

/**
 * Returns a command that sends a frame through the gateway. A gateway uses its own token and adds the uid to each
 * frame.
 */
function gatewayExample({ origin }: Place, uid: string, gateway: string, { channel, value }: Sent): Example {
  const body = `{"frames": [{"uid": ${JSON.stringify(uid)}, "${channel}": ${value}}]}`;
  return {
    name: `HTTP with curl, through the gateway ${gateway} with its token`,
    text: `curl -H "Authorization: Bearer $GATEWAY_TOKEN" -H "Content-Type: application/json" -d '${body}' ${origin}/api/v1/ingest`,
  };
}

function ownExamples(
  { origin, hostname, endpoints }: Place,
  uid: string,
  token: string,
  format: string,
  sent: Sent,
): Example[] {
  const examples = [{ name: 'HTTP with curl', text: curlCommand(origin, uid, sent, { token, format }) }];
  const { body, line } = written(format, 'text', sent);
  if (endpoints.mqtt) {
    const { host, port, tls } = endpoints.mqtt;
    const safe = tls ? ' --tls-use-os-certs' : '';
    examples.push({
      name: 'MQTT with mosquitto_pub',
      text: `mosquitto_pub -h ${host ?? hostname} -p ${port}${safe} -u ${uid} -P "${token}" -q 1 -t tocsin/${uid}/up -m ${body}`,
    });
  }
  if (endpoints.tcp) {
    examples.push({
      name: 'TCP with nc',
      text: `echo "${uid} ${token} ${line}" | nc -N ${hostname} ${endpoints.tcp.port}`,
    });
  }
  return examples;
}
