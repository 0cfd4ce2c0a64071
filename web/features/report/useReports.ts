import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HealthPeriod } from '../../../domain/report/health.ts';
import { counted } from '../../kit/format/number.ts';
import { fetchAcknowledgementTotals } from './acknowledgement.queries.ts';
import { useLast30Days } from './ranges.ts';
import {
  fetchAlarmCount,
  fetchHealthByOffice,
  fetchHealthBySite,
  fetchSilence,
  fetchUnitOffices,
} from './report.queries.ts';
import { fetchSms } from './sms-report.queries.ts';
import { useHealthRange } from './useHealthRange.ts';

/** Report data changes slowly, so it counts as fresh for a minute. */
const FRESH_MS = 60_000;

/** Loads the health of the unit offices. `until` is the last day, which defaults to today. */
export function useHealthByOffice(until?: string, each?: HealthPeriod) {
  const range = useHealthRange(until, each);
  const query = useQuery({
    queryKey: ['report', 'health', 'office', range],
    queryFn: ({ signal }) => fetchHealthByOffice(range, signal),
    // Whole months do not change, so they count as fresh for longer.
    ...(each === 'month' ? { staleTime: 5 * FRESH_MS } : { staleTime: FRESH_MS, refetchInterval: FRESH_MS }),
  });
  return { range, query };
}

/** Loads the health in the twelve weeks or months before the report's range. */
export function useHealthBefore(until?: string, each?: HealthPeriod) {
  const { before } = useHealthRange(until, each);
  return useQuery({
    queryKey: ['report', 'health', 'office', before],
    queryFn: ({ signal }) => fetchHealthByOffice(before, signal),
    staleTime: 5 * FRESH_MS,
  });
}

/**
 * Loads the health by site. `office` is the uuid of a unit office, or empty for all sites. `progress` is a text that
 * shows how many sites of a long list have loaded.
 */
export function useHealthBySite(office: string, until?: string, each?: HealthPeriod) {
  const range = useHealthRange(until, each);
  const [progress, setProgress] = useState('');
  const query = useQuery({
    queryKey: ['report', 'health', 'site', office, range],
    queryFn: ({ signal }) =>
      fetchHealthBySite(
        range,
        office,
        (got, of) => setProgress(`${got.toLocaleString()} of ${counted(of, 'site')} loaded`),
        signal,
      ),
    staleTime: 5 * FRESH_MS,
  });
  return { range, query, progress };
}

export function useSilentSites() {
  return useQuery({
    queryKey: ['report', 'silence'],
    queryFn: ({ signal }) => fetchSilence(signal),
    staleTime: FRESH_MS,
  });
}

export function useSms() {
  const range = useLast30Days();
  const query = useQuery({
    queryKey: ['report', 'sms', range],
    queryFn: ({ signal }) => fetchSms(range, signal),
    staleTime: FRESH_MS,
  });
  return { range, query };
}

export function useAlarmCount() {
  const range = useLast30Days();
  const query = useQuery({
    queryKey: ['report', 'alarm-count', range],
    queryFn: ({ signal }) => fetchAlarmCount(range, signal),
    staleTime: FRESH_MS,
  });
  return { range, query };
}

/** Loads the acknowledgement figures for alarm SMS, as in the default view of the acknowledgement report. */
export function useAcknowledgement() {
  const range = useLast30Days();
  const wanted = { office: undefined, site: undefined, person: undefined, smsOnly: true };
  const query = useQuery({
    queryKey: ['report', 'acknowledgement-totals', range, wanted],
    queryFn: ({ signal }) => fetchAcknowledgementTotals(range, wanted, signal),
    staleTime: FRESH_MS,
  });
  return { range, query };
}

export function useUnitOffices() {
  return useQuery({
    queryKey: ['report', 'unit-offices'],
    queryFn: ({ signal }) => fetchUnitOffices(signal),
    staleTime: 5 * FRESH_MS,
  });
}
