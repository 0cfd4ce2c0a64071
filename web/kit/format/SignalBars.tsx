import { formatNumber, signalBars } from './value.ts';

const bars = [
  { x: 0, y: 9, height: 3 },
  { x: 3.6, y: 6, height: 6 },
  { x: 7.2, y: 3, height: 9 },
  { x: 10.8, y: 0, height: 12 },
];

/** Signal strength as four bars. */
export function SignalShape({ dbm }: { dbm: number | null }) {
  const filled = signalBars(dbm);
  return (
    <svg width={14} height={12} viewBox="0 0 14 12" aria-hidden>
      {bars.map(({ x, y, height }, index) => (
        <rect
          key={x}
          x={x}
          y={y}
          width={2.6}
          height={height}
          rx={0.6}
          fill={index < filled ? 'var(--text-3)' : 'var(--border-strong)'}
          opacity={index < filled ? 1 : 0.7}
        />
      ))}
    </svg>
  );
}

/** GSM signal strength as bars and in dBm. */
export function SignalBars({ dbm }: { dbm: number | null }) {
  return (
    <>
      <SignalShape dbm={dbm} />
      {dbm === null ? 'no signal data' : `${formatNumber(dbm)} dBm`}
    </>
  );
}
