import { useQuery } from '@tanstack/react-query';
import type { ListView } from '../../ui/table/list-view.ts';
import { type FilteredWindow, sensorOfficesQuery } from './maintenance.queries.ts';

/**
 * Returns a function that tells whether a window matches the filters. A sensor can measure at several sites, so its
 * window matches each of their offices.
 */
export function useWindowFilter({ filters }: ListView, windows: readonly FilteredWindow[]) {
  const { office, scope } = filters;
  const sensors = [...new Set(windows.filter((one) => one.scope === 'sensor').map((one) => one.targetUuid))].sort();
  const needed = Boolean(office) && sensors.length > 0;
  const places = useQuery({ ...sensorOfficesQuery(sensors), enabled: needed });
  return (window: FilteredWindow) =>
    (!scope || window.scope === scope) &&
    (!office ||
      (window.scope === 'sensor'
        ? (places.data?.includes(`${office} ${window.targetUuid}`) ?? false)
        : window.site?.tocsinGroup5Uuid === office));
}
