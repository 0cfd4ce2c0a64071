import { TbDatabaseExport } from 'react-icons/tb';
import { formatAge } from '../../../domain/age.ts';
import { At } from '../../kit/format/At.tsx';
import { EmptyState } from '../../ui/Notice.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { Age } from '../../ui/time/Age.tsx';
import classes from './System.module.css';
import { Figure, SystemCard, type SystemColumn, SystemTable } from './SystemTable.tsx';
import type { SystemBackup } from './system.queries.ts';
import { formatBytes } from './system-words.ts';

const columns: readonly SystemColumn<SystemBackup>[] = [
  {
    header: 'Backup',
    text: true,
    value: ({ finishedOn, note }) => (
      <span className={classes.backup}>
        <At at={finishedOn} />
        <span className={`${classes.quiet} ${classes.ago}`}>
          {' '}
          <Age at={finishedOn} /> ago
        </span>
        {note ? <span className={classes.quiet}>, {note}</span> : null}
      </span>
    ),
  },
  {
    header: 'Size',
    width: 92,
    value: ({ bytes }) => {
      if (bytes === null) return '–';
      const { number, unit } = formatBytes(bytes);
      return <Figure unit={unit}>{number}</Figure>;
    },
  },
  { header: 'Duration', width: 92, value: ({ seconds }) => (seconds === null ? '–' : formatAge(seconds * 1000)) },
  {
    header: 'Result',
    text: true,
    width: 132,
    value: ({ ok }) => (ok ? <StateMark state="normal" word="Complete" /> : <StateMark state="major" word="Failed" />),
  },
];

/** Lists the last backups that the administrator's backup job has reported. */
export function BackupTable({ backups }: { backups: readonly SystemBackup[] }) {
  return (
    <SystemCard title="Backups" fact={backups.length > 0 ? 'the last five' : undefined}>
      {backups.length > 0 ? (
        <SystemTable label="Backups" {...{ columns }} rows={backups} keyOf={({ finishedOn }) => finishedOn ?? ''} />
      ) : (
        <EmptyState icon={TbDatabaseExport} title="No backup reported yet">
          Configure the backup job to run npm run backup-done after each backup. See docs/operating.md.
        </EmptyState>
      )}
    </SystemCard>
  );
}
