import { createContext, use } from 'react';

/** The time zone in which all components inside this provider show times. */
export const TimeZone = createContext('UTC');

export function useTimeZone(): string {
  return use(TimeZone);
}
