import { formatNumber } from '../../../kit/format/number.ts';
import classes from './Advice.module.css';
import type { Trial } from './advice.queries.ts';
import { pairWords, secondsWords } from './advice-words.ts';

interface AdviceTrialsProps {
  present: Trial;
  trials: readonly Trial[];
  chosen: number;
  onChoose: (index: number) => void;
}

/** Table of the best settings that were tried. The page shows the result of the chosen row. */
export function AdviceTrials({ present, trials, chosen, onChoose }: AdviceTrialsProps) {
  return (
    <div className={classes.scroll}>
      <table className={classes.trials}>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Clears</th>
            <th scope="col">Debounce</th>
            <th scope="col">Alarms</th>
            <th scope="col">Nuisance avoided</th>
            <th scope="col">Kept</th>
            <th scope="col">Missed</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <Cells trial={present}>
              <span className={classes.choice}>
                {pairWords(present.valueLower, present.valueUpper)} <span className={classes.quiet}>now</span>
              </span>
            </Cells>
          </tr>
          {trials.map((trial, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of an advice never change their order.
            <tr key={index} data-chosen={index === chosen || undefined}>
              <Cells trial={trial}>
                <label className={classes.choice}>
                  <input type="radio" name="trial" checked={index === chosen} onChange={() => onChoose(index)} />
                  {pairWords(trial.valueLower, trial.valueUpper)}
                </label>
              </Cells>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cells({ trial, children }: { trial: Trial; children: React.ReactNode }) {
  const { valueLower, valueUpper, clearLower, clearUpper, debounce } = trial;
  return (
    <>
      <th scope="row">{children}</th>
      <td>{pairWords(clearLower ?? valueLower, clearUpper ?? valueUpper)}</td>
      <td>{secondsWords(debounce)}</td>
      <td>{formatNumber(trial.alarms)}</td>
      <td>{formatNumber(trial.nuisanceAvoided)}</td>
      <td>{formatNumber(trial.realKept)}</td>
      <td>{trial.realMissed > 0 ? <b>{formatNumber(trial.realMissed)}</b> : 0}</td>
    </>
  );
}
