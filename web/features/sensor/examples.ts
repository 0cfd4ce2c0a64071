import type { DeviceDoors } from './sensor.queries.ts';

export interface Example {
  name: string;
  text: string;
}

interface Place {
  /** The console's own address: devices reach the HTTP door at the same one. */
  origin: string;
  hostname: string;
  doors: DeviceDoors;
}

/** What a device is told when its token is scanned: where to send, as whom, and with what. */
export function qrText(origin: string, uid: string, token: string): string {
  return JSON.stringify({ url: ingestUrl(origin, uid), uid, token });
}

function ingestUrl(origin: string, uid: string): string {
  return `${origin}/api/v1/ingest/${encodeURIComponent(uid)}`;
}

/** The command that sends a value of one channel by HTTP, ready to be run. Without a token its place is held by a variable. */
export function curlCommand(origin: string, uid: string, { token = '$TOKEN', channel = 1, value = 20.5 } = {}): string {
  return `curl -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d '{"${channel}": ${value}}' ${ingestUrl(origin, uid)}`;
}

/** Commands that send a frame through each door. */
export function examplesFor({ origin, hostname, doors }: Place, uid: string, token = '$TOKEN'): Example[] {
  const examples = [{ name: 'HTTP with curl', text: curlCommand(origin, uid, { token }) }];
  if (doors.mqtt) {
    const { host, port, tls } = doors.mqtt;
    const safe = tls ? ' --tls-use-os-certs' : '';
    examples.push({
      name: 'MQTT with mosquitto_pub',
      text: `mosquitto_pub -h ${host ?? hostname} -p ${port}${safe} -u ${uid} -P "${token}" -q 1 -t tocsin/${uid}/up -m '1=20.5'`,
    });
  }
  if (doors.tcp) {
    examples.push({
      name: 'TCP with nc',
      text: `echo "${uid} ${token} 1=20.5" | nc -N ${hostname} ${doors.tcp.port}`,
    });
  }
  return examples;
}
