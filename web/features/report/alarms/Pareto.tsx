import type { ReactNode } from 'react';
import { type ParetoRow, paretoOf } from '../../../../domain/report/pareto.ts';
import { percentWords } from '../../../../domain/report/percent.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import classes from './Pareto.module.css';

interface ParetoProps {
  rows: readonly { reason: string | null; alarms: number }[] | undefined;
  nameOf: (row: ParetoRow) => ReactNode;
}

/** Pareto chart of reasons: most frequent first, with cumulative shares. */
export function Pareto({ rows, nameOf }: ParetoProps) {
  if (rows === undefined) {
    return (
      <div className={classes.wait}>
        <Skeleton width="70%" />
        <Skeleton width="44%" />
        <Skeleton width="22%" />
      </div>
    );
  }
  const all = paretoOf(rows);
  const most = all[0]?.share ?? 1;
  return (
    <table className={classes.pareto} aria-label="Reasons">
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col" aria-label="Share (bar)" />
          <th scope="col">Alarms</th>
          <th scope="col">Share</th>
          <th scope="col">Cumulative</th>
        </tr>
      </thead>
      <tbody>
        {all.map((row) => {
          const { name, alarms, share, cumulative: together } = row;
          return (
            <tr key={name}>
              <th scope="row">{nameOf(row)}</th>
              <td className={classes.bar}>
                <i style={{ width: `${(100 * share) / most}%` }} />
              </td>
              <td>{alarms.toLocaleString()}</td>
              <td>{percentWords(share)}</td>
              <td>{percentWords(together)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
