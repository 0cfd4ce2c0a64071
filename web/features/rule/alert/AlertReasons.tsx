import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fieldSentences } from '../../../../domain/field-sentences.ts';
import { counted } from '../../../kit/format/number.ts';
import { Refusal, Remove } from './AlertPeople.tsx';
import classes from './RuleAlertForm.module.css';
import type { RuleAlertRecord } from './rule-alert.queries.ts';
import { byUse } from './rule-alert-form.ts';

interface AlertReasonsProps {
  reasons: string[];
  stored: RuleAlertRecord['reasons'];
  /** How often each reason was used, keyed by its text in lower case. */
  uses: ReadonlyMap<string, number>;
  /** Error from the server about the list of reasons, shown above the list. */
  error?: ReactNode;
  onChange: (next: string[]) => void;
}

const LONGEST = 200;

/** Lists the preset reasons for acknowledging an alarm, most used first. */
export function AlertReasons({ reasons, stored, uses, error, onChange }: AlertReasonsProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const reason = text.trim();
    if (reason === '') return;
    if (reasons.some((known) => known.toLowerCase() === reason.toLowerCase())) {
      setProblem(fieldSentences['reason-repeated']);
      return;
    }
    onChange([...reasons, reason]);
    setText('');
    setProblem(null);
  };
  return (
    <fieldset className={classes.group}>
      <legend>Reasons for acknowledging</legend>
      <Refusal>{error}</Refusal>
      {reasons.length === 0 ? <p className={classes.hint}>No preset reasons. People enter their own text.</p> : null}
      {byUse(reasons, uses).map(({ reason, uses: count }) => {
        const links = stored.find((row) => row.reason === reason);
        const limits = [
          ...(links && links.siteReasons.totalCount > 0 ? [counted(links.siteReasons.totalCount, 'site')] : []),
          ...(links && links.userReasons.totalCount > 0
            ? [counted(links.userReasons.totalCount, 'person', 'people')]
            : []),
        ];
        return (
          <div key={reason} className={classes.row}>
            <span className={classes.name}>{reason}</span>
            <span className={classes.note}>
              {count === 0 ? 'not used' : `used ${counted(count, 'time')}`}
              {links?.isNuisance ? ', nuisance' : ''}
              {limits.length === 0 ? '' : `, linked to ${limits.join(' and ')}`}
            </span>
            <Remove name={reason} onClick={() => onChange(reasons.filter((known) => known !== reason))} />
          </div>
        );
      })}
      <div className={classes.add}>
        <TextInput
          aria-label="New reason"
          placeholder="New reason"
          maxLength={LONGEST}
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(null);
          }}
          // Adds the typed text when the user leaves the field, for example to click Save.
          onBlur={add}
          onKeyDown={(event) => {
            // Enter adds the reason; it must not submit the form.
            if (event.key !== 'Enter') return;
            if (!event.ctrlKey && !event.metaKey) event.preventDefault();
            add();
          }}
        />
        <Button variant="default" onClick={add}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}
