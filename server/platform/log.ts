import { pino } from 'pino';
import { prettyFactory } from 'pino-pretty';

export type LogData = Readonly<Record<string, unknown>>;

export interface Log {
  info(message: string, data?: LogData): void;
  warn(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
}

export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

interface Output {
  write(text: string): unknown;
}

export interface LogOptions {
  /** `json` writes one object per line, for log collectors. `text` is for a person at a terminal. */
  format: LogFormat;
  /** Output for information; by default standard output. */
  out?: Output;
  /** Output for warnings and errors; by default standard error. */
  err?: Output;
  colors?: boolean;
}

const REDACTED = '[redacted]';

/** Values under these keys are replaced by `[redacted]`. */
const secretKeys = [
  'password',
  'token',
  'code',
  'secret',
  'cookie',
  'set-cookie',
  'authorization',
  'x-xsrf-token',
  'smtpUrl',
  'databaseUrl',
  'mqttUrl',
  'amqpUrl',
];

/** Patterns that find credentials in error messages and stack traces: in addresses, headers and query strings. */
const quotedSecrets: readonly [RegExp, string][] = [
  [/(\w:\/\/)[^\s/@"\\]*:[^\s/"\\]*@/g, `$1${REDACTED}@`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/\b((?:XSRF-TOKEN|access_token|token|code|key|secret|password|session)=)[^&;\s"\\]+/gi, `$1${REDACTED}`],
];

/**
 * Creates a log that uses pino. Each line has a time and a level. For an error, the line contains its message and the
 * messages of its causes.
 */
export function createLog({ format, out = process.stdout, err = process.stderr, colors = false }: LogOptions): Log {
  const asText = prettyFactory({
    colorize: colors,
    singleLine: true,
    errorLikeObjectKeys: [],
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
  });
  const to = (output: Output) => ({
    write: (line: string) => void output.write(format === 'json' ? line : asText(line)),
  });
  const logger = pino(
    {
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: (value) => (value instanceof Error ? pino.stdSerializers.err(value).message : value) },
      redact: {
        paths: secretKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]),
        censor: REDACTED,
      },
      hooks: {
        streamWrite: (line) => quotedSecrets.reduce((rest, [pattern, by]) => rest.replace(pattern, by), line),
      },
    },
    pino.multistream(
      [
        { level: 'info', stream: to(out) },
        { level: 'warn', stream: to(err) },
      ],
      { dedupe: true },
    ),
  );
  return {
    info: (message, data = {}) => logger.info(data, oneLine(message)),
    warn: (message, data = {}) => logger.warn(data, oneLine(message)),
    error: (message, data = {}) => logger.error(data, oneLine(message)),
  };
}

function oneLine(message: string): string {
  return message.replace(/\s*[\r\n]+\s*/g, ' ');
}

/** Log for commands that a person runs in a terminal. */
export const consoleLog: Log = createLog({ format: 'text', colors: Boolean(process.stdout.isTTY) });

export const silentLog: Log = {
  info: () => {},
  warn: () => {},
  error: () => {},
};
