import { Button } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../../domain/plural.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { counted } from '../list/number.ts';
import classes from '../record/RecordPanel.module.css';
import { countOpenAlarms } from './rule-use.queries.ts';

interface Asked {
  alarms: number;
  answer: (agreed: boolean) => void;
}

/** Rules that are disabled resolve their open alarms: says how many before it happens, and asks. */
export function useBeforeDisabling() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const agreed = async (rules: readonly string[]): Promise<boolean> => {
    const alarms = rules.length === 0 ? 0 : await countOpenAlarms(rules);
    if (alarms === 0) return true;
    return new Promise((resolve) => {
      setAsked({
        alarms,
        answer: (yes) => {
          setAsked(null);
          resolve(yes);
        },
      });
    });
  };
  return {
    /** True where nothing is open, or the person agrees to what happens. */
    agreed,
    question: asked ? <Question {...asked} /> : null,
  };
}

function Question({ alarms, answer }: Asked) {
  const title = `Disable and resolve ${counted(alarms, 'open alarm')}?`;
  return (
    <Dialog opened onClose={() => answer(false)} label={title} head={<h2 className={classes.question}>{title}</h2>}>
      <p>
        Nothing judges {plural(alarms, 'it', 'them')} any more, so {plural(alarms, 'it is', 'they are')} resolved
        wherever the value is. Those who want to know of the end are told.
      </p>
      <div className={classes.choices}>
        <Button variant="default" onClick={() => answer(false)}>
          Keep enabled
        </Button>
        <Button onClick={() => answer(true)}>Disable</Button>
      </div>
    </Dialog>
  );
}
