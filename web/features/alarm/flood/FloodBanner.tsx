import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbRipple } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { At } from '../../../kit/format/At.tsx';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { counted } from '../../../kit/format/number.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { REFRESH } from '../bell/useOpenAlarms.ts';
import classes from './FloodBanner.module.css';
import { type ActiveFlood, fetchActiveFloods } from './flood.queries.ts';

/** Shows the active alarm floods, with the first-out alarm and a link to the alarms of each. Hidden if there is none. */
export function FloodBanner() {
  const { data } = useQuery({
    queryKey: ['alarm', 'floods'],
    queryFn: ({ signal }) => fetchActiveFloods(signal),
    refetchInterval: REFRESH,
    enabled: can(useActor(), 'alarm_flood.read'),
  });
  if (!data || data.rows.length === 0) return null;
  const more = data.total - data.rows.length;
  return (
    <section className={classes.banner} aria-label="Alarm floods">
      <TbRipple size={20} strokeWidth={1.75} aria-hidden />
      <ul>
        {data.rows.map((flood) => (
          <Flood key={flood.uuid} flood={flood} />
        ))}
        {more > 0 ? <li>{counted(more, 'more flood', 'more floods')}</li> : null}
      </ul>
    </section>
  );
}

function Flood({
  flood: { uuid, placeName, beganAt, alarms, tocsinAlarmUuid, firstMessage, firstSiteName },
}: {
  flood: ActiveFlood;
}) {
  const first = withoutSite(firstMessage, firstSiteName);
  return (
    <li>
      <b>Flood at {placeName}</b> since <At at={beganAt} />:{' '}
      <Link to="/dashboard/alarms" search={{ show: 'all', flood: uuid }}>
        {counted(alarms, 'alarm')}
      </Link>
      , first{' '}
      {tocsinAlarmUuid === null ? (
        first
      ) : (
        <Link to="/dashboard/alarms/$uuid" params={{ uuid: tocsinAlarmUuid }}>
          {first}
        </Link>
      )}
      {firstSiteName === placeName ? '' : ` (${firstSiteName})`}
      <small>Recipients get a digest every minute. Critical alarms are still sent one by one.</small>
    </li>
  );
}
