import { VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { TbGripVertical } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toast/toast.ts';
import classes from './DatapointOrder.module.css';
import { type Sibling, siblingsQuery, updateDatapointOrder } from './datapoint.queries.ts';
import { moved, newPlaces, placeAt } from './order.ts';

interface DatapointOrderProps {
  asset: string;
  /** Uuid of the data point whose form is open. The list highlights it. */
  here: string;
  onStored: () => void;
}

/**
 * List in which the user reorders an asset's data points by dragging or with the arrow keys. Saves each move
 * immediately.
 */
export function DatapointOrder({ asset, here, onStored }: DatapointOrderProps) {
  const siblings = useQuery(siblingsQuery(asset));
  if (siblings.isError) {
    return (
      <ErrorState title="The data points could not be loaded" onRetry={() => void siblings.refetch()}>
        {messageOf(siblings.error)}
      </ErrorState>
    );
  }
  return siblings.data ? (
    <Sortable rows={siblings.data} asset={asset} here={here} onStored={onStored} />
  ) : (
    <Skeleton width="60%" />
  );
}

function Sortable({ rows, asset, here, onStored }: DatapointOrderProps & { rows: readonly Sibling[] }) {
  const client = useQueryClient();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<{ uuid: string; order: Sibling[] } | null>(null);
  const [said, setSaid] = useState('');
  const shown = dragged?.order ?? rows;

  const store = async (order: readonly Sibling[]) => {
    const { queryKey } = siblingsQuery(asset);
    await client.cancelQueries({ queryKey });
    client.setQueryData(
      queryKey,
      order.map((row, index) => ({ ...row, tocsinAssetDatapointOrder: index + 1 })),
    );
    try {
      for (const { uuid, place } of newPlaces(order)) await updateDatapointOrder(uuid, place);
    } catch (error) {
      toast.error(`The order could not be saved. ${messageOf(error)}`);
    }
    onStored();
    await client.invalidateQueries({ queryKey: ['datapoint'] });
  };

  const press = (event: KeyboardEvent, index: number) => {
    const to = event.key === 'ArrowUp' ? index - 1 : event.key === 'ArrowDown' ? index + 1 : -1;
    if (to < 0 || to >= rows.length) return;
    event.preventDefault();
    setSaid(`${rows[index]?.tocsinDatapointName}: position ${to + 1} of ${rows.length}`);
    void store(moved(rows, index, to));
  };
  const move = (event: PointerEvent) => {
    if (!dragged) return;
    const middles = [...(list.current?.children ?? [])].map((entry) => {
      const { top, height } = entry.getBoundingClientRect();
      return top + height / 2;
    });
    const from = dragged.order.findIndex(({ uuid }) => uuid === dragged.uuid);
    // Exclude the dragged entry when searching for its new position, because the entries after it move up by one.
    const to = placeAt(event.clientY, middles.toSpliced(from, 1));
    const passedAll = event.clientY >= Math.max(...middles.toSpliced(from, 1));
    const target = passedAll ? dragged.order.length - 1 : to;
    if (target !== from) setDragged({ ...dragged, order: moved(dragged.order, from, target) });
  };
  const drop = () => {
    if (!dragged) return;
    setDragged(null);
    if (newPlaces(dragged.order).length > 0) void store(dragged.order);
  };
  return (
    <>
      <p className={classes.hint}>
        The site shows the data points of this asset in this order. Drag a data point by its handle, or move it with the
        arrow keys.
      </p>
      <ol ref={list} className={classes.list} aria-label="Order">
        {shown.map((row, index) => (
          <li
            key={row.uuid}
            className={classes.entry}
            data-here={row.uuid === here || undefined}
            data-moving={row.uuid === dragged?.uuid || undefined}
          >
            <button
              type="button"
              className={classes.handle}
              aria-label={`Move ${row.tocsinDatapointName}, position ${index + 1} of ${shown.length}`}
              onKeyDown={(event) => press(event, index)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged({ uuid: row.uuid, order: [...rows] });
              }}
              onPointerMove={move}
              onPointerUp={drop}
              onPointerCancel={() => setDragged(null)}
            >
              <TbGripVertical size={16} strokeWidth={1.75} aria-hidden />
            </button>
            <span className={classes.name}>{row.tocsinDatapointName}</span>
            <span className={classes.place}>{index + 1}</span>
          </li>
        ))}
      </ol>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </>
  );
}
