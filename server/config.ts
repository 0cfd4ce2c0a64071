import { resolve } from 'node:path';
import { type LogFormat, logFormats } from './platform/log.ts';
import { StartError } from './platform/start-error.ts';
import { readSenderSettings, type SenderSettings, senderSettings } from './sender/settings.ts';

export const roles = ['web', 'gateway', 'evaluator', 'engine'] as const;
export type Role = (typeof roles)[number];

/**
 * All settings of the product, read once at start. A port is `fixed` if the administrator set it; otherwise the server
 * uses the next free port.
 */
export interface Config extends SenderSettings {
  port: { number: number; fixed: boolean };
  host: string;
  deviceHost: string;
  databaseUrl: string | undefined;
  databaseConnections: number | undefined;
  /** Disk space for the database on its server, in gigabytes; undefined if it is unknown. */
  databaseDiskGb: number | undefined;
  dataDir: string;
  demo: boolean;
  /** True if another process simulates the demo's devices. */
  demoDataOnly: boolean;
  /**
   * Number of values per second that all demo devices send together. If undefined, each device keeps its own interval.
   */
  demoValuesPerSecond: number | undefined;
  mqttPort: { number: number; fixed: boolean };
  tcpPort: { number: number; fixed: boolean };
  /** URL of an external broker that replaces the embedded broker. */
  mqttUrl: string | undefined;
  /** URLs of RabbitMQ's nodes, separated by commas. If they are set, RabbitMQ replaces the embedded broker. */
  amqpUrl: string | undefined;
  /** Secret part of the URL that RabbitMQ calls to ask whether a device may connect. */
  brokerAuthSecret: string | undefined;
  /** Certificate and key files of the embedded broker. */
  mqttTls: { cert: string; key: string } | undefined;
  deviceFramesPerSecond: number;
  commandHours: number;
  commandRetrySeconds: number;
  /** Retention of each kind of data, in days. */
  keep: { frames: number; readings: number; minutes: number; hours: number; days: number };
  smtpUrl: string | undefined;
  mailFrom: string;
  publicUrl: string | undefined;
  trustProxy: string[];
  /** Token for /metrics. Without it, /metrics returns 404. */
  metricsToken: string | undefined;
  /** If undefined, the log is text in a demo or a terminal, otherwise JSON. */
  logFormat: LogFormat | undefined;
  roles: readonly Role[];
  /** Name of this process. The default is the host name and the port. */
  processName: string | undefined;
  /**
   * Number of seconds between the stop signal and the stop. During this time the process reports that it is not ready
   * but still serves requests.
   */
  drainSeconds: number;
  /** URL that Tocsin calls every minute while everything works, so that an external service notices a failure. */
  heartbeatUrl: string | undefined;
  /**
   * Maximum age of the last backup, in hours. A system alarm opens for an older backup. Undefined if backups are not
   * monitored.
   */
  backupMaxAgeHours: number | undefined;
  /** True if webhooks may use http and addresses of private networks. */
  webhookPrivate: boolean;
  contactEmail: string;
  contactPhone: string;
  development: boolean;
}

interface Setting {
  name: string;
  default: string;
}

/** All settings with their defaults. A test compares docs/settings.md with this list. */
export const settings: readonly Setting[] = [
  { name: 'PORT', default: '8080' },
  { name: 'TOCSIN_HOST', default: 'localhost in demo mode, 0.0.0.0 otherwise' },
  { name: 'TOCSIN_DEVICE_HOST', default: 'as TOCSIN_HOST' },
  { name: 'DATABASE_URL', default: 'none' },
  { name: 'TOCSIN_DATABASE_CONNECTIONS', default: 'two for each core, at least 4' },
  { name: 'TOCSIN_DATABASE_DISK_GB', default: 'none' },
  { name: 'TOCSIN_DATA_DIR', default: './data' },
  { name: 'TOCSIN_DEMO', default: 'on embedded, off otherwise' },
  { name: 'TOCSIN_DEMO_VALUES_PER_SECOND', default: 'each device every 15 to 30 seconds' },
  { name: 'MQTT_PORT', default: '1883' },
  { name: 'TCP_PORT', default: '5055' },
  { name: 'TOCSIN_MQTT_URL', default: 'none' },
  { name: 'TOCSIN_AMQP_URL', default: 'none' },
  { name: 'TOCSIN_BROKER_AUTH_SECRET', default: 'none' },
  { name: 'TOCSIN_MQTT_TLS_CERT', default: 'none' },
  { name: 'TOCSIN_MQTT_TLS_KEY', default: 'none' },
  { name: 'TOCSIN_DEVICE_FRAMES_PER_SECOND', default: '50' },
  { name: 'TOCSIN_COMMAND_HOURS', default: '72' },
  { name: 'TOCSIN_COMMAND_RETRY_SECONDS', default: '60' },
  { name: 'TOCSIN_KEEP_FRAMES_DAYS', default: '90' },
  { name: 'TOCSIN_KEEP_READINGS_DAYS', default: '400' },
  { name: 'TOCSIN_KEEP_MINUTES_DAYS', default: '400' },
  { name: 'TOCSIN_KEEP_HOURS_DAYS', default: '1830' },
  { name: 'TOCSIN_KEEP_DAYS_DAYS', default: '3660' },
  { name: 'SMTP_URL', default: 'none' },
  { name: 'TOCSIN_MAIL_FROM', default: 'Tocsin <tocsin@localhost>' },
  ...senderSettings,
  { name: 'TOCSIN_WEBHOOK_PRIVATE', default: 'off' },
  { name: 'TOCSIN_PUBLIC_URL', default: 'the address of the request' },
  { name: 'TOCSIN_TRUST_PROXY', default: 'none' },
  { name: 'TOCSIN_METRICS_TOKEN', default: 'none' },
  { name: 'TOCSIN_LOG_FORMAT', default: 'text in a terminal and for the demo, json otherwise' },
  { name: 'TOCSIN_ROLES', default: 'all' },
  { name: 'TOCSIN_PROCESS_NAME', default: 'host name and port' },
  { name: 'TOCSIN_DRAIN_SECONDS', default: '0' },
  { name: 'TOCSIN_HEARTBEAT_URL', default: 'none' },
  { name: 'TOCSIN_BACKUP_MAX_AGE_HOURS', default: 'none' },
  { name: 'TOCSIN_CONTACT_EMAIL', default: "the customer's, then the partner's" },
  { name: 'TOCSIN_CONTACT_PHONE', default: "the customer's, then the partner's" },
  { name: 'NODE_ENV', default: 'production' },
];

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(environment: Environment): Config {
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const number = (name: string, least: number, most: number) => readNumber(name, text(name), least, most);
  const databaseUrl = text('DATABASE_URL');
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new StartError('DATABASE_URL must look like postgres://user:password@host:5432/database.');
  }
  const demoDataOnly = text('TOCSIN_DEMO') === 'data';
  const demo = demoDataOnly || readSwitch('TOCSIN_DEMO', text('TOCSIN_DEMO'), databaseUrl === undefined);
  const host = text('TOCSIN_HOST') ?? (demo ? 'localhost' : '0.0.0.0');
  return {
    port: readPort('PORT', text('PORT'), 8080),
    host,
    webhookPrivate: readSwitch('TOCSIN_WEBHOOK_PRIVATE', text('TOCSIN_WEBHOOK_PRIVATE'), false),
    deviceHost: text('TOCSIN_DEVICE_HOST') ?? host,
    databaseUrl,
    databaseConnections: number('TOCSIN_DATABASE_CONNECTIONS', 2, 200),
    databaseDiskGb: number('TOCSIN_DATABASE_DISK_GB', 1, 1_000_000),
    dataDir: resolve(text('TOCSIN_DATA_DIR') ?? './data'),
    demo,
    demoDataOnly,
    demoValuesPerSecond: number('TOCSIN_DEMO_VALUES_PER_SECOND', 1, 100_000),
    mqttPort: readPort('MQTT_PORT', text('MQTT_PORT'), 1883),
    tcpPort: readPort('TCP_PORT', text('TCP_PORT'), 5055),
    ...readBroker(text),
    mqttTls: readTls(text('TOCSIN_MQTT_TLS_CERT'), text('TOCSIN_MQTT_TLS_KEY')),
    deviceFramesPerSecond: number('TOCSIN_DEVICE_FRAMES_PER_SECOND', 1, 100_000) ?? 50,
    commandHours: number('TOCSIN_COMMAND_HOURS', 1, 8760) ?? 72,
    commandRetrySeconds: number('TOCSIN_COMMAND_RETRY_SECONDS', 1, 86_400) ?? 60,
    keep: {
      frames: number('TOCSIN_KEEP_FRAMES_DAYS', 1, 36_600) ?? 90,
      readings: number('TOCSIN_KEEP_READINGS_DAYS', 1, 36_600) ?? 400,
      minutes: number('TOCSIN_KEEP_MINUTES_DAYS', 1, 36_600) ?? 400,
      hours: number('TOCSIN_KEEP_HOURS_DAYS', 1, 36_600) ?? 1830,
      days: number('TOCSIN_KEEP_DAYS_DAYS', 1, 36_600) ?? 3660,
    },
    smtpUrl: readUrl('SMTP_URL', text('SMTP_URL'), ['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com'),
    mailFrom: text('TOCSIN_MAIL_FROM') ?? 'Tocsin <tocsin@localhost>',
    ...readSenderSettings(text),
    publicUrl: readUrl(
      'TOCSIN_PUBLIC_URL',
      text('TOCSIN_PUBLIC_URL'),
      ['http:', 'https:'],
      'https://console.example.com',
    )?.replace(/\/+$/, ''),
    trustProxy:
      text('TOCSIN_TRUST_PROXY')
        ?.split(',')
        .map((address) => address.trim())
        .filter(Boolean) ?? [],
    metricsToken: readMetricsToken(text('TOCSIN_METRICS_TOKEN')),
    logFormat: readLogFormat(text('TOCSIN_LOG_FORMAT')),
    roles: readRoles(text('TOCSIN_ROLES')),
    processName: text('TOCSIN_PROCESS_NAME'),
    drainSeconds: number('TOCSIN_DRAIN_SECONDS', 0, 300) ?? 0,
    heartbeatUrl: readUrl(
      'TOCSIN_HEARTBEAT_URL',
      text('TOCSIN_HEARTBEAT_URL'),
      ['http:', 'https:'],
      'https://heartbeat.example.com/your-check',
    ),
    backupMaxAgeHours: number('TOCSIN_BACKUP_MAX_AGE_HOURS', 1, 8760),
    contactEmail: text('TOCSIN_CONTACT_EMAIL') ?? '',
    contactPhone: text('TOCSIN_CONTACT_PHONE') ?? '',
    development: text('NODE_ENV') === 'development',
  };
}

/** Returns the options for opening the configured database. */
export function databaseOf(config: Config): {
  url: string | undefined;
  connections: number | undefined;
  dataDir: string;
} {
  return { url: config.databaseUrl, connections: config.databaseConnections, dataDir: config.dataDir };
}

function readPort(name: string, value: string | undefined, fallback: number): { number: number; fixed: boolean } {
  if (value === undefined) return { number: fallback, fixed: false };
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > 65535)
    throw new StartError(`${name} must be a port number from 0 to 65535, not "${value}".`);
  return { number, fixed: true };
}

function readNumber(name: string, value: string | undefined, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most)
    throw new StartError(`${name} must be a whole number from ${least} to ${most}, not "${value}".`);
  return number;
}

function readTls(cert: string | undefined, key: string | undefined): { cert: string; key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new StartError('Set both TOCSIN_MQTT_TLS_CERT and TOCSIN_MQTT_TLS_KEY, or neither.');
  return { cert: resolve(cert), key: resolve(key) };
}

function readBroker(
  text: (name: string) => string | undefined,
): Pick<Config, 'mqttUrl' | 'amqpUrl' | 'brokerAuthSecret'> {
  const mqttUrl = readUrl(
    'TOCSIN_MQTT_URL',
    text('TOCSIN_MQTT_URL'),
    ['mqtt:', 'mqtts:', 'ws:', 'wss:'],
    'mqtts://user:password@broker.example.com',
  );
  const amqpUrl = text('TOCSIN_AMQP_URL');
  for (const node of amqpUrl?.split(',') ?? [])
    readUrl(
      'TOCSIN_AMQP_URL',
      node.trim(),
      ['amqp:', 'amqps:'],
      'amqp://user:password@rabbit1,amqp://user:password@rabbit2',
    );
  if (mqttUrl !== undefined && amqpUrl !== undefined)
    throw new StartError('Set TOCSIN_MQTT_URL or TOCSIN_AMQP_URL, but not both: Tocsin uses one external broker.');
  const brokerAuthSecret = text('TOCSIN_BROKER_AUTH_SECRET');
  if (brokerAuthSecret !== undefined && amqpUrl === undefined)
    throw new StartError(
      'TOCSIN_BROKER_AUTH_SECRET needs TOCSIN_AMQP_URL: only RabbitMQ asks Tocsin to authenticate devices.',
    );
  if (brokerAuthSecret !== undefined && !/^[\w-]{16,200}$/.test(brokerAuthSecret))
    throw new StartError(
      'TOCSIN_BROKER_AUTH_SECRET must have 16 to 200 characters, only letters, digits, - and _. Create one with: openssl rand -hex 24',
    );
  return { mqttUrl, amqpUrl, brokerAuthSecret };
}

function readSwitch(name: string, value: string | undefined, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (['on', 'true', '1', 'yes'].includes(value.toLowerCase())) return true;
  if (['off', 'false', '0', 'no'].includes(value.toLowerCase())) return false;
  throw new StartError(`${name} must be on or off, not "${value}".`);
}

function readUrl(name: string, value: string | undefined, protocols: string[], example: string): string | undefined {
  if (value === undefined) return undefined;
  // The setting's value can contain a password, so the message does not repeat it.
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new StartError(`${name} must look like ${example}.`);
  }
  return value;
}

function readMetricsToken(token: string | undefined): string | undefined {
  if (token === undefined || token.length >= 16) return token;
  throw new StartError('TOCSIN_METRICS_TOKEN must have 16 characters or more. Create one with: openssl rand -hex 24');
}

function readLogFormat(value: string | undefined): LogFormat | undefined {
  if (value === undefined) return undefined;
  const format = logFormats.find((name) => name === value);
  if (!format) throw new StartError(`TOCSIN_LOG_FORMAT must be ${logFormats.join(' or ')}, not "${value}".`);
  return format;
}

function readRoles(value: string | undefined): readonly Role[] {
  if (value === undefined || value === 'all') return roles;
  const wanted = value
    .split(',')
    .map((role) => role.trim())
    .filter(Boolean);
  const unknown = wanted.filter((role) => !(roles as readonly string[]).includes(role));
  if (unknown.length > 0 || wanted.length === 0) {
    throw new StartError(`TOCSIN_ROLES must list roles: ${roles.join(', ')}. "${unknown[0] ?? value}" is not a role.`);
  }
  return roles.filter((role) => wanted.includes(role));
}
