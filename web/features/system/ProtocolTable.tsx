import { formatNumber } from '../../kit/format/number.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import classes from './System.module.css';
import { Figure, SystemCard, type SystemColumn, SystemTable } from './SystemTable.tsx';
import type { SystemBroker, SystemProtocol } from './system.queries.ts';
import { formatRate, protocolNames } from './system-words.ts';

interface ProtocolTableProps {
  protocols: readonly SystemProtocol[];
  brokers: readonly SystemBroker[];
}

/**
 * Table of the protocols with their connections, frame rates and refusals, and table of the sessions at external
 * brokers.
 */
export function ProtocolTable({ protocols, brokers }: ProtocolTableProps) {
  const sum = (figure: (protocol: SystemProtocol) => number | null) =>
    protocols.reduce((total, protocol) => total + (figure(protocol) ?? 0), 0);
  const columns: SystemColumn<SystemProtocol>[] = [
    {
      header: 'Protocol',
      text: true,
      value: ({ protocol }) => protocolNames[protocol ?? ''] ?? protocol,
      total: 'All protocols',
    },
    {
      header: 'Connections',
      width: 100,
      value: ({ connections }) => (connections === null ? '–' : formatNumber(connections)),
      total: formatNumber(sum(({ connections }) => connections)),
    },
    {
      header: 'Frames',
      width: 84,
      value: ({ framesPerSecond }) => <Figure unit="/s">{formatRate(framesPerSecond ?? 0)}</Figure>,
      total: <Figure unit="/s">{formatRate(sum(({ framesPerSecond }) => framesPerSecond))}</Figure>,
    },
    {
      header: 'Last hour',
      text: true,
      width: 128,
      value: ({ framesByMinute }) => <Sparkline values={(framesByMinute ?? []).map((value) => value ?? 0)} />,
    },
    {
      header: 'Refused',
      width: 84,
      value: ({ refused }) => formatNumber(refused ?? 0),
      total: formatNumber(sum(({ refused }) => refused)),
    },
  ];
  return (
    <SystemCard title="Protocols" fact="frames per second; refusals in the last hour">
      <SystemTable
        label="Protocols"
        {...{ columns }}
        rows={protocols}
        keyOf={({ protocol }) => protocol ?? ''}
        hasTotal
      />
      {brokers.length > 0 ? <Brokers brokers={brokers} /> : null}
    </SystemCard>
  );
}

const WIDTH = 92;
const HEIGHT = 20;

/** Line chart of the frames per minute. The scale starts at 0, so that a minute without frames is at the bottom. */
function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 1);
  const total = values.reduce((sum, value) => sum + value, 0);
  const points = values.map(
    (value, index) =>
      `${((index / Math.max(values.length - 1, 1)) * WIDTH).toFixed(1)} ${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${formatNumber(total)} frames, at most ${formatNumber(most)} a minute`}
    >
      {points.length > 0 ? <path d={`M${points.join('L')}`} /> : null}
    </svg>
  );
}

interface BrokerSessions {
  name: string;
  connected: string[];
  standingBy: string[];
  problems: string[];
}

/**
 * Returns one row per broker. A process that is not connected but has no problem is standing by: it takes over if the
 * connected process fails.
 */
function sessionsOf(brokers: readonly SystemBroker[]): BrokerSessions[] {
  return [...Map.groupBy(brokers, ({ name }) => name ?? '')].map(([name, all]) => {
    const namesOf = (some: readonly SystemBroker[]) => some.flatMap(({ processName }) => processName ?? []);
    return {
      name,
      connected: namesOf(all.filter(({ isConnected }) => isConnected)),
      standingBy: namesOf(all.filter(({ isConnected, problem }) => !isConnected && !problem)),
      problems: all.flatMap(({ processName, problem }) => (problem ? `${processName}: ${problem}` : [])),
    };
  });
}

const sessionColumns: readonly SystemColumn<BrokerSessions>[] = [
  { header: 'Broker', text: true, value: ({ name }) => <span className={classes.name}>{name}</span> },
  {
    header: 'Connected',
    text: true,
    value: ({ connected }) =>
      connected.length > 0 ? (
        <StateMark state="normal" word={connected.join(', ')} />
      ) : (
        <StateMark state="silent" word="No process" />
      ),
  },
  { header: 'Standing by', text: true, value: ({ standingBy }) => standingBy.join(', ') || '–' },
];

/** Table of the sessions at external brokers, with the connected process and the processes that are standing by. */
function Brokers({ brokers }: { brokers: readonly SystemBroker[] }) {
  return (
    <div className={classes.brokers}>
      <SystemTable
        label="Broker sessions"
        columns={sessionColumns}
        rows={sessionsOf(brokers)}
        keyOf={({ name }) => name}
        below={({ problems }) => (problems.length > 0 ? problems.join(' ') : null)}
      />
    </div>
  );
}
