export type LogData = Readonly<Record<string, unknown>>;

export interface Log {
  info(message: string, data?: LogData): void;
  warn(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
}

type Level = keyof Log;

/** One readable line: `level message key=value`. Line breaks inside are escaped, so that one event is always one line. */
export function formatLine(level: Level, message: string, data: LogData = {}): string {
  const parts = [level, message.replace(/\s*[\r\n]+\s*/g, ' ')];
  for (const [key, value] of Object.entries(data)) {
    if (value !== undefined) parts.push(`${key}=${formatValue(value)}`);
  }
  return parts.join(' ');
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid-date' : value.toISOString();
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return '"[not printable]"';
  }
}

/** Writes information to standard output, and what needs attention to standard error. */
export const consoleLog: Log = {
  info: (message, data) => console.log(formatLine('info', message, data)),
  warn: (message, data) => console.error(formatLine('warn', message, data)),
  error: (message, data) => console.error(formatLine('error', message, data)),
};

export const silentLog: Log = {
  info: () => {},
  warn: () => {},
  error: () => {},
};
