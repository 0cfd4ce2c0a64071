import { createContext, use } from 'react';

/** The time zone of every time below. */
export const TimeZone = createContext('UTC');

export function useTimeZone(): string {
  return use(TimeZone);
}
