import { formatNumber } from '../../kit/format/number.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import classes from './System.module.css';
import { Figure, SystemCard, type SystemColumn, SystemTable } from './SystemTable.tsx';
import type { SystemBroker, SystemProtocol } from './system.queries.ts';
import { formatRate, protocolNames } from './system-words.ts';

/** How frames arrive: connections, rates and refusals of each protocol. */
export function ProtocolTable({ protocols }: { protocols: readonly SystemProtocol[] }) {
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
    <SystemCard title="Protocols" fact="frames in; refused in the last hour">
      <SystemTable
        label="Protocols"
        {...{ columns }}
        rows={protocols}
        keyOf={({ protocol }) => protocol ?? ''}
        hasTotal
      />
    </SystemCard>
  );
}

const WIDTH = 92;
const HEIGHT = 20;

/** Frames of each minute. The scale begins at 0, so that a stop is at the bottom. */
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

/** Sessions at external brokers, one for each process that may hold it. */
export function BrokerTable({ brokers }: { brokers: readonly SystemBroker[] }) {
  const columns: SystemColumn<SystemBroker>[] = [
    { header: 'Broker', text: true, width: 220, value: ({ name }) => <span className={classes.name}>{name}</span> },
    { header: 'Process', text: true, width: 168, value: ({ processName }) => processName },
    { header: 'Session', text: true, width: 140, value: (broker) => <Session {...broker} /> },
    { header: 'Problem', text: true, value: ({ problem }) => problem },
  ];
  return (
    <SystemCard title="Broker sessions" fact="at the external broker">
      <SystemTable
        label="Broker sessions"
        {...{ columns }}
        rows={brokers}
        keyOf={({ name, processName }) => `${name} ${processName}`}
      />
    </SystemCard>
  );
}

function Session({ isConnected, isHolder, problem }: SystemBroker) {
  if (problem) return <StateMark state="silent" word="Disconnected" />;
  if (isConnected) return <StateMark state="normal" word="Connected" />;
  // Another process receives the messages, and this one takes over when it fails.
  return <span className={classes.standby}>{isHolder ? 'Connecting' : 'Standing by'}</span>;
}
