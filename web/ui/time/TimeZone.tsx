import { createContext, use } from 'react';

/** The zone in which every time below is shown. */
export const TimeZone = createContext('UTC');

export function useTimeZone(): string {
  return use(TimeZone);
}
