import { ask, graphql } from '../../../api/graphql.ts';

const current = graphql(`
  query WeeklyReport {
    myWeeklyReport {
      weekday
      hour
      address
    }
  }
`);

const set = graphql(`
  mutation SetWeeklyReport($weekday: Int!, $hour: Int!) {
    setWeeklyReport(input: { weekday: $weekday, hour: $hour }) {
      clientMutationId
    }
  }
`);

const end = graphql(`
  mutation EndWeeklyReport {
    endWeeklyReport(input: {}) {
      clientMutationId
    }
  }
`);

export interface WeeklyReport {
  /** Weekday from 1 (Monday) to 7 (Sunday). */
  weekday: number;
  hour: number;
  address: string;
}

/** Fetches the user's weekly report; null if there is none. */
export async function fetchWeeklyReport(signal?: AbortSignal): Promise<WeeklyReport | null> {
  const { myWeeklyReport: found } = await ask(current, {}, signal);
  if (!found || found.weekday === null || found.hour === null) return null;
  return { weekday: found.weekday, hour: found.hour, address: found.address ?? '' };
}

export async function setWeeklyReport(weekday: number, hour: number): Promise<void> {
  await ask(set, { weekday, hour });
}

export async function endWeeklyReport(): Promise<void> {
  await ask(end, {});
}
