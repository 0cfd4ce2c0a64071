import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../../api/http.ts';
import { notThere, severityOf } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { useInterruptibleAction } from '../../../kit/session/interrupted-action.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { Age } from '../../../ui/time/Age.tsx';
import { Reading } from '../AlarmCells.tsx';
import look from '../acknowledge/AlarmDialog.module.css';
import { PaneDialog } from './PaneDialog.tsx';
import { ShelveForm } from './ShelveForm.tsx';
import { fetchShelvingQuestion } from './shelve.queries.ts';

interface ShelveDialogProps {
  /** Uuid of the alarm; undefined while the dialog is closed. */
  uuid: string | undefined;
  /** True if the dialog covers only the panel with the alarm's details. */
  inPane?: boolean;
  onClose: () => void;
}

/** Dialog that shelves an alarm, or its rule, data point, asset or site. */
export function ShelveDialog({ uuid, inPane = false, onClose }: ShelveDialogProps) {
  if (uuid !== undefined) return <OpenDialog key={uuid} uuid={uuid} inPane={inPane} onClose={onClose} />;
  return inPane ? null : (
    <Dialog opened={false} onClose={onClose} label="Shelve">
      {null}
    </Dialog>
  );
}

function OpenDialog({ uuid, inPane, onClose }: { uuid: string; inPane: boolean; onClose: () => void }) {
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  useInterruptibleAction('Your session ended before the alarm was shelved.', `/dashboard/alarms/${uuid}`);
  const query = useQuery({
    queryKey: ['alarm', 'to-shelve', uuid],
    queryFn: ({ signal }) => fetchShelvingQuestion(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const alarm = query.data?.alarm;
  const content = (): ReactNode => {
    if (query.data === undefined) {
      return query.isError ? (
        <ErrorState title="The alarm could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading">
          <Skeleton width="70%" />
        </div>
      );
    }
    if (!alarm) return `${notThere.title}. ${notThere.words}`;
    if (query.data.choices.length === 0) return <p role="status">This alarm is resolved, so it cannot be shelved.</p>;
    return <ShelveForm question={query.data} alarm={alarm} phone={phone} onClose={onClose} />;
  };
  if (inPane) {
    return (
      <PaneDialog label="Shelve" onClose={onClose}>
        {content()}
      </PaneDialog>
    );
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      label="Shelve"
      head={
        alarm ? (
          <>
            <StateMark look="badge" state={severityOf(alarm.severity)} />
            <span className={look.age}>
              open <Age at={alarm.dateTime} />
            </span>
          </>
        ) : null
      }
    >
      {alarm ? (
        <div className={look.title}>
          <h2>Shelve {withoutSite(alarm.message, alarm.siteName)}</h2>
          <p>{alarm.siteName}</p>
          <p className={look.reading} data-state={severityOf(alarm.severity)}>
            <Reading alarm={alarm} />
          </p>
        </div>
      ) : null}
      {content()}
    </Dialog>
  );
}
