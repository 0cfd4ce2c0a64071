import { createContext, use } from 'react';

/** The time zone of all times inside this provider. */
export const TimeZone = createContext('UTC');

export function useTimeZone(): string {
  return use(TimeZone);
}
