import { Button } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../../domain/plural.ts';
import { counted } from '../../kit/format/number.ts';
import classes from '../../kit/record/RecordPanel.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { countOpenAlarms } from './rule-usage.queries.ts';

/** Labels of the buttons that confirm and cancel the action. */
const disabling = { does: 'Disable', keeps: 'Keep enabled' };

interface QuestionProps {
  words: typeof disabling;
  alarms: number;
  answer: (agreed: boolean) => void;
}

/**
 * Asks for confirmation before rules with open alarms are disabled, because disabling a rule resolves its alarms. The
 * dialog shows the number of open alarms.
 */
export function useConfirmDisable(words = disabling) {
  const [asked, setAsked] = useState<QuestionProps | null>(null);
  const agreed = async (rules: readonly string[]): Promise<boolean> => {
    const alarms = rules.length === 0 ? 0 : await countOpenAlarms(rules);
    if (alarms === 0) return true;
    return new Promise((resolve) => {
      setAsked({
        words,
        alarms,
        answer: (yes) => {
          setAsked(null);
          resolve(yes);
        },
      });
    });
  };
  return {
    /** Asks for confirmation if necessary. The promise resolves to true if no alarm is open or the user confirms. */
    agreed,
    question: asked ? <Question {...asked} /> : null,
  };
}

function Question({ words, alarms, answer }: QuestionProps) {
  const title = `${words.does} and resolve ${counted(alarms, 'open alarm')}?`;
  return (
    <Dialog opened onClose={() => answer(false)} label={title} head={<h2 className={classes.question}>{title}</h2>}>
      <p>
        Readings are no longer evaluated, so {plural(alarms, 'the open alarm is', 'the open alarms are')} resolved
        regardless of the value. This notifies the recipients of resolutions and everybody to whom{' '}
        {plural(alarms, 'the alarm was', 'the alarms were')} escalated.
      </p>
      <div className={classes.choices}>
        <Button variant="default" onClick={() => answer(false)}>
          {words.keeps}
        </Button>
        <Button onClick={() => answer(true)}>{words.does}</Button>
      </div>
    </Dialog>
  );
}
