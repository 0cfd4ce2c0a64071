import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { At } from '../../../kit/format/At.tsx';
import { type ListView, withFilter } from '../../../ui/table/list-view.ts';
import { fetchFloodPlace } from './flood.queries.ts';
import classes from './ListedSource.module.css';

interface ListedSourceProps {
  view: ListView;
  onViewChange: (next: ListView) => void;
}

/** States that the list contains only the alarms of a flood or a digest, and offers to show all alarms. */
export function ListedSource({ view, onViewChange }: ListedSourceProps) {
  const { flood = '', digest = '' } = view.filters;
  if (flood === '' && digest === '') return null;
  const all = () => onViewChange(withFilter(withFilter(view, 'flood', ''), 'digest', ''));
  return (
    <div className={classes.source} role="status">
      <span>{flood === '' ? 'Alarms of one digest' : <FloodName uuid={flood} />}</span>
      <Button variant="default" size="xs" onClick={all}>
        Show all alarms
      </Button>
    </div>
  );
}

function FloodName({ uuid }: { uuid: string }) {
  const flood = useQuery({
    queryKey: ['alarm', 'flood', uuid],
    queryFn: ({ signal }) => fetchFloodPlace(uuid, signal),
  }).data;
  if (!flood) return 'Alarms of one flood';
  return (
    <>
      Alarms of the flood at {flood.placeName}, <At at={flood.beganAt} />
    </>
  );
}
