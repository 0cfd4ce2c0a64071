import { Button, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { TbMail } from 'react-icons/tb';
import { weekdays } from '../../../../domain/report/weekly.ts';
import { messageOf } from '../../../api/http.ts';
import { useUser } from '../../../kit/session/session.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import classes from './WeeklyReport.module.css';
import { endWeeklyReport, fetchWeeklyReport, setWeeklyReport, type WeeklyReport } from './weekly-report.queries.ts';

const queryKey = ['report', 'weekly'];
const standard = { weekday: 1, hour: 7 };
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourWords(hour) }));
const days = weekdays.map((label, index) => ({ value: String(index + 1), label }));

function hourWords(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Opens the dialog in which users subscribe to this report by weekly e-mail. */
export function WeeklyReportButton() {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<TbMail size={14} strokeWidth={1.75} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Send weekly
      </Button>
      <Dialog
        opened={opened}
        onClose={close}
        label="Weekly e-mail"
        head={<h2 className={classes.title}>Weekly e-mail</h2>}
      >
        <Content onClose={close} />
      </Dialog>
    </>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const query = useQuery({ queryKey, queryFn: ({ signal }) => fetchWeeklyReport(signal), staleTime: 0 });
  if (query.isError) {
    return (
      <ErrorState title="The weekly e-mail could not be loaded" onRetry={() => void query.refetch()}>
        {messageOf(query.error)}
      </ErrorState>
    );
  }
  if (query.data === undefined || query.isFetching) return <Skeleton height={120} />;
  return <WeeklyForm current={query.data} onClose={onClose} />;
}

function WeeklyForm({ current, onClose }: { current: WeeklyReport | null; onClose: () => void }) {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const { email } = useUser();
  const [time, setTime] = useState({
    weekday: current?.weekday ?? standard.weekday,
    hour: current?.hour ?? standard.hour,
  });
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>, done: string) => {
    setBusy(true);
    try {
      await work();
      toast.success(done);
      onClose();
    } catch (error) {
      toast.error(messageOf(error));
      setBusy(false);
    }
    await client.invalidateQueries({ queryKey });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const day = weekdays[time.weekday - 1];
    void run(
      () => setWeeklyReport(time.weekday, time.hour),
      `The report is sent every ${day} at ${hourWords(time.hour)}.`,
    );
  };
  return (
    <form className={classes.form} onSubmit={save}>
      <p>
        Sends the key figures of the last seven days and a link to this report to {current?.address || email}, for all
        sites that you can see.
      </p>
      <div className={classes.fields}>
        <NativeSelect
          label="Weekday"
          data={days}
          value={String(time.weekday)}
          onChange={(event) => setTime({ ...time, weekday: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label="Time"
          description={timeZone}
          inputWrapperOrder={['label', 'input', 'description']}
          data={hours}
          value={String(time.hour)}
          onChange={(event) => setTime({ ...time, hour: Number(event.currentTarget.value) })}
        />
      </div>
      <div className={classes.actions}>
        {current ? (
          <Button
            variant="default"
            disabled={busy}
            onClick={() => void run(endWeeklyReport, 'You no longer get weekly e-mails.')}
          >
            Stop weekly e-mail
          </Button>
        ) : null}
        <Button type="submit" disabled={busy}>
          {current ? 'Save' : 'Send weekly e-mail'}
        </Button>
      </div>
    </form>
  );
}
