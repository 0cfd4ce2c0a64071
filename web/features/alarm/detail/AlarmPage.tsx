import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { messageOf } from '../../../api/http.ts';
import { notThere } from '../../../kit/format/alarm.ts';
import { alarmName } from '../../../kit/format/alarm-name.ts';
import { key } from '../../../kit/list/list.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { useListedKeys } from '../../../kit/page/key-list.ts';
import { LoadError } from '../../../kit/page/LoadError.tsx';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { UnderPageTitle } from '../../../ui/Heading.tsx';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../../../ui/Page.tsx';
import { usePageKeys } from '../../../ui/page-keys.ts';
import { PageSkeleton } from '../../../ui/Skeleton.tsx';
import { AcknowledgeDialog } from '../acknowledge/AcknowledgeDialog.tsx';
import { ResolveDialog } from '../acknowledge/ResolveDialog.tsx';
import { useAlarmDialog } from '../acknowledge/useAlarmDialog.ts';
import { alarmPageKeys } from '../alarm-keys.ts';
import { AssignmentNote } from '../assign/Assignment.tsx';
import { useAssignment } from '../assign/useAssignment.ts';
import { isUnnotified, notifiedWords } from '../notified-words.ts';
import { ShelveDialog } from '../shelve/ShelveDialog.tsx';
import { ShelvedNote } from '../shelve/ShelvingState.tsx';
import { AlarmConditions } from './AlarmConditions.tsx';
import { actionOfKey, Badge, Place, usePossibleActions } from './AlarmDetail.tsx';
import { AlarmExplanation } from './AlarmExplanation.tsx';
import classes from './AlarmPage.module.css';
import { AlarmTimeline } from './AlarmTimeline.tsx';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { CauseNote } from './CauseNote.tsx';
import { Consequences } from './Consequences.tsx';
import { MessageList } from './MessageList.tsx';
import { SampleChart } from './SampleChart.tsx';
import { SimilarAlarms } from './SimilarAlarms.tsx';
import { messagesOf } from './timeline.ts';
import { useAlarm, useLiveValues } from './useAlarm.ts';

/** Page for a single alarm, with a URL that users can share. */
export function AlarmPage() {
  return (
    <Page>
      <PlantPeopleOnly title="Alarm">
        <Alarm />
      </PlantPeopleOnly>
    </Page>
  );
}

function Alarm() {
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const isKey = key(uuid) !== undefined;
  const query = useAlarm(uuid, isKey);
  const alarm = useLiveValues(query.data);
  useHeaderTitle('Alarm', alarm ? alarmName(alarm) : 'Alarm');
  if (alarm) {
    return <AlarmView alarm={alarm} />;
  }
  if (query.isPending && isKey) {
    return (
      <LoadError query={query}>
        <PageSkeleton inside />
      </LoadError>
    );
  }
  return (
    <>
      <PageTitle above={<Link to="/dashboard/alarms">Alarms</Link>}>Alarm</PageTitle>
      <Card>
        {query.isError ? (
          <ErrorState title="The alarm could not be loaded" onRetry={() => void query.refetch()}>
            {messageOf(query.error)}
          </ErrorState>
        ) : (
          <EmptyState
            title={notThere.title}
            action={
              <Button component={Link} to="/dashboard/alarms" variant="default" size="xs">
                Go to alarms
              </Button>
            }
          >
            {notThere.words}
          </EmptyState>
        )}
      </Card>
    </>
  );
}

function AlarmView({ alarm }: { alarm: AlarmDetail }) {
  const able = usePossibleActions(alarm);
  const { acknowledging, named, resolving, shelving, link, handle, stop } = useAlarmDialog(alarm.uuid);
  const { take } = useAssignment();
  const press = (what: keyof typeof able) => () => {
    if (!able[what]) return;
    if (what === 'take') void take(alarm);
    else handle(what, [alarm]);
  };
  useListedKeys(alarmPageKeys(able));
  usePageKeys((event) => {
    const what = actionOfKey(event.key);
    if (what === undefined) return;
    press(what)();
    event.preventDefault();
  });
  const { messages, total } = messagesOf(alarm);
  return (
    <>
      <PageTitle
        above={<Link to="/dashboard/alarms">Alarms</Link>}
        actions={
          <>
            {able.acknowledge ? (
              <Button className={classes.button} onClick={press('acknowledge')} rightSection={<kbd aria-hidden>a</kbd>}>
                Acknowledge
              </Button>
            ) : null}
            {able.resolve ? (
              <Button
                className={classes.button}
                variant={able.acknowledge ? 'default' : 'filled'}
                onClick={press('resolve')}
                rightSection={<kbd aria-hidden>r</kbd>}
              >
                Resolve
              </Button>
            ) : null}
            {able.shelve ? (
              <Button
                className={classes.button}
                variant="default"
                onClick={press('shelve')}
                rightSection={<kbd aria-hidden>s</kbd>}
              >
                Shelve
              </Button>
            ) : null}
          </>
        }
      >
        {alarm.message}
      </PageTitle>
      <p className={classes.place}>
        <Badge alarm={alarm} />
        <span>
          <Place alarm={alarm} />
        </span>
      </p>
      <UnderPageTitle>
        <div className={classes.shelved}>
          <ShelvedNote alarm={alarm} />
          <CauseNote alarm={alarm} />
        </div>
        <div className={classes.assignment}>
          <AssignmentNote key={alarm.uuid} alarm={alarm} />
        </div>
        <div className={classes.columns}>
          <div className={classes.column}>
            <div className={classes.card}>
              <SampleChart alarm={alarm} />
              <AlarmConditions alarm={alarm} />
              <AlarmExplanation alarm={alarm} />
            </div>
            <Card
              title={
                <>
                  Messages <span className={classes.count}>{total.toLocaleString()}</span>
                </>
              }
            >
              {messages.length > 0 && isUnnotified(alarm) ? (
                <p className={classes.unnotified} role="status">
                  {notifiedWords(alarm)}.
                </p>
              ) : null}
              {messages.length === 0 ? (
                <p className={classes.padded}>
                  {alarm.notNotifiedBecause ? notifiedWords(alarm) : 'No messages were sent'}.
                </p>
              ) : (
                <MessageList messages={messages} />
              )}
            </Card>
            <Consequences uuid={alarm.uuid} />
            <SimilarAlarms uuid={alarm.uuid} source={alarm.source} />
          </div>
          <div className={`${classes.card} ${classes.timeline}`}>
            <AlarmTimeline alarm={alarm} />
          </div>
        </div>
      </UnderPageTitle>
      <AcknowledgeDialog uuids={acknowledging} named={named} link={link} onClose={stop} />
      <ResolveDialog alarms={resolving} onClose={stop} />
      <ShelveDialog uuid={shelving} onClose={() => stop(false)} />
    </>
  );
}
