import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { TbArrowRight } from 'react-icons/tb';
import { ruleSentence } from '../rule-sentence.ts';
import classes from './Advice.module.css';
import type { Trial } from './advice.queries.ts';
import { fillEditor, settingRows } from './advice-words.ts';

interface AdviceProposalProps {
  uuid: string;
  version: number;
  unit: string;
  present: Trial;
  trial: Trial;
  /** False if the user chose settings other than the proposed ones, or if nothing was proposed. */
  isProposal: boolean;
}

/**
 * Shows the proposed settings next to the present ones. A button opens the editor, where the user can try them and save
 * them as the next version.
 */
export function AdviceProposal({ uuid, version, unit, present, trial, isProposal }: AdviceProposalProps) {
  const navigate = useNavigate();
  const name = isProposal ? 'Proposal' : 'Chosen settings';
  const sentence = ruleSentence('', { ...trial, enabled: true }, unit);
  const open = () => {
    fillEditor(uuid, trial);
    void navigate({ to: '/admin/rules', search: { record: uuid, tried: 'advice' } as never });
  };
  return (
    <section className={classes.card} aria-label={name}>
      <div className={classes.head}>
        <h2>{name}</h2>
        <span className={classes.quiet}>{unit}</span>
      </div>
      <div className={classes.body}>
        <table className={classes.change}>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Version {version}</th>
              <th scope="col">{name}</th>
            </tr>
          </thead>
          <tbody>
            {settingRows(present, trial).map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{row.before}</td>
                <td>{row.isChanged ? <b>{row.after}</b> : <span className={classes.quiet}>unchanged</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {sentence ? (
          <p className={classes.say}>
            {sentence.before}
            <b>{sentence.condition}</b>
            {sentence.after}
          </p>
        ) : null}
        {trial.isSafe ? null : (
          <p className={classes.warning}>
            {trial.realMissed > present.realMissed
              ? 'These settings miss real alarms.'
              : 'These settings open alarms much later, or keep an alarm open too long.'}
          </p>
        )}
        <Button onClick={open} rightSection={<TbArrowRight size={16} strokeWidth={1.75} aria-hidden />}>
          Try it
        </Button>
        <p className={classes.hint}>
          Opens the editor with these values and the simulation. Nothing changes until you save version {version + 1}.
        </p>
      </div>
    </section>
  );
}
