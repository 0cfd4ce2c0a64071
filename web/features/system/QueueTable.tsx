import { TbArrowUp } from 'react-icons/tb';
import { formatAge } from '../../../domain/age.ts';
import { formatNumber } from '../../kit/format/number.ts';
import classes from './System.module.css';
import { SystemCard, type SystemColumn, SystemTable } from './SystemTable.tsx';
import type { SystemQueue } from './system.queries.ts';
import { formatWait, queueName } from './system-words.ts';

/**
 * Table of the queues. Overdue items are marked by bold text and an arrow, not by colour, because colour is reserved
 * for the system alarm.
 */
export function QueueTable({ queues }: { queues: readonly SystemQueue[] }) {
  const columns: SystemColumn<SystemQueue>[] = [
    { header: 'Queue', text: true, width: 196, value: ({ name }) => queueName(name) },
    { header: 'Waiting', width: 84, value: ({ waiting }) => formatNumber(waiting ?? 0) },
    {
      header: 'Oldest',
      width: 92,
      value: ({ waiting, oldestSeconds }) => (waiting && oldestSeconds !== null ? formatWait(oldestSeconds) : '–'),
    },
    {
      header: 'Overdue',
      width: 84,
      value: ({ overdue, overdueSeconds }) =>
        overdueSeconds === null ? (
          '–'
        ) : overdue ? (
          <b className={classes.overdue}>
            <TbArrowUp size={14} strokeWidth={2} aria-hidden />
            {formatNumber(overdue)}
          </b>
        ) : (
          '0'
        ),
    },
    {
      header: 'Overdue after',
      width: 108,
      value: ({ overdueSeconds }) => (overdueSeconds === null ? '–' : formatAge(overdueSeconds * 1000)),
    },
  ];
  return (
    <SystemCard title="Queues" fact="waiting now">
      <SystemTable label="Queues" {...{ columns }} rows={queues} keyOf={({ name }) => name ?? ''} />
    </SystemCard>
  );
}
