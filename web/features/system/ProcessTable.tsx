import { formatAge } from '../../../domain/age.ts';
import { MOST_APART_MS } from '../../../domain/process/clock-agreement.ts';
import { MISSING_SECONDS } from '../../../domain/process/system-alarm.ts';
import { formatNumber } from '../../kit/format/number.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import classes from './System.module.css';
import { Figure, SystemCard, type SystemColumn, SystemTable } from './SystemTable.tsx';
import type { SystemBroker, SystemProcess } from './system.queries.ts';
import { formatBytes, formatOffset, formatRate, isRunning, processState } from './system-words.ts';

interface ProcessTableProps {
  processes: readonly SystemProcess[];
  brokers: readonly SystemBroker[];
  /** Time of the server's response, in milliseconds since 1970. */
  answeredAt: number;
}

export function ProcessTable({ processes, brokers, answeredAt }: ProcessTableProps) {
  const running = processes.filter(({ state }) => isRunning(state));
  const sum = (figure: (process: SystemProcess) => number | null) =>
    running.reduce((total, process) => total + (figure(process) ?? 0), 0);
  const holders = new Set(
    brokers.filter(({ isConnected, isHolder }) => isConnected && isHolder).map(({ processName }) => processName),
  );
  const memory = formatBytes(sum(({ memoryBytes }) => memoryBytes));
  const columns: SystemColumn<SystemProcess>[] = [
    {
      header: 'Process',
      text: true,
      width: 132,
      value: ({ name }) => <span className={classes.name}>{name}</span>,
      total: 'Total',
    },
    { header: 'State', text: true, width: 108, value: ({ state }) => <StateMark {...processState(state)} /> },
    { header: 'Version', text: true, width: 72, value: ({ version }) => version },
    {
      header: 'Roles',
      text: true,
      value: ({ name, roles }) => (
        <span className={classes.roles}>
          {(roles ?? []).join(', ')}
          {holders.has(name) ? (
            <>
              , <b>broker session</b>
            </>
          ) : null}
        </span>
      ),
    },
    {
      header: 'Clock offset',
      width: 100,
      value: ({ clockOffsetMs }) => <Figure unit="s">{formatOffset(clockOffsetMs ?? 0)}</Figure>,
    },
    {
      header: 'Heartbeat',
      width: 100,
      value: (process) => <Heartbeat {...{ process, answeredAt }} />,
    },
    { header: 'CPU', text: true, width: 148, value: (process) => <Cpu {...process} /> },
    {
      header: 'Memory',
      width: 88,
      value: ({ state, memoryBytes }) => {
        if (!isRunning(state) || memoryBytes === null) return '–';
        const { number, unit } = formatBytes(memoryBytes);
        return <Figure unit={unit}>{number}</Figure>;
      },
      total: <Figure unit={memory.unit}>{memory.number}</Figure>,
    },
    {
      header: 'Delay',
      width: 80,
      value: ({ state, eventLoopDelayMs }) =>
        isRunning(state) && eventLoopDelayMs !== null ? (
          <Figure unit="ms">{formatNumber(Math.round(eventLoopDelayMs))}</Figure>
        ) : (
          '–'
        ),
    },
    {
      header: 'Frames',
      width: 88,
      value: ({ state, framesPerSecond }) => (
        <Figure unit="/s">{formatRate(isRunning(state) ? (framesPerSecond ?? 0) : 0)}</Figure>
      ),
      total: <Figure unit="/s">{formatRate(sum(({ framesPerSecond }) => framesPerSecond))}</Figure>,
    },
  ];
  return (
    <SystemCard
      title="Processes"
      fact={`${running.length} of ${processes.length} running`}
      note={`A process is missing after ${MISSING_SECONDS} s without a heartbeat. Clock offset is relative to the database; the limit is ${MOST_APART_MS / 1000} s.`}
    >
      <SystemTable
        label="Processes"
        {...{ columns }}
        rows={processes}
        keyOf={({ uuid, name }) => uuid ?? name ?? ''}
        isOld={({ state }) => !isRunning(state)}
        below={({ state, problems }) =>
          isRunning(state) && problems && problems.length > 0 ? problems.filter(Boolean).join(' ') : null
        }
        hasTotal
      />
    </SystemCard>
  );
}

/**
 * Shows the age of the last heartbeat. Between two responses from the server, the age increases only for a missing
 * process.
 */
function Heartbeat({ process, answeredAt }: { process: SystemProcess; answeredAt: number }) {
  const silentMs = (process.silentSeconds ?? 0) * 1000;
  const isMissing = process.state === 'missing';
  const age = useFromNow((now) => formatAge(silentMs + (isMissing ? Math.max(0, now.getTime() - answeredAt) : 0)));
  return isMissing ? <b className={classes.missing}>{age}</b> : age;
}

function Cpu({ state, cpuPercent }: SystemProcess) {
  if (!isRunning(state) || cpuPercent === null) return '–';
  return (
    <span className={classes.cpu}>
      <span className={classes.load} aria-hidden>
        <i style={{ width: `${Math.min(cpuPercent, 100)}%` }} />
      </span>
      <span className={classes.percent}>{formatNumber(Math.round(cpuPercent))}&nbsp;%</span>
    </span>
  );
}
