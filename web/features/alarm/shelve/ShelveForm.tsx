import { Button, Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { TbArrowUp, TbBell, TbBellOff, TbCheck, TbHistory, TbPencil } from 'react-icons/tb';
import { fieldSentences } from '../../../../domain/field-sentences.ts';
import { messageOf } from '../../../api/http.ts';
import { formatMoment } from '../../../kit/format/short-time.ts';
import { useUser } from '../../../kit/session/session.ts';
import { now, useFromNow } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import look from '../acknowledge/AlarmDialog.module.css';
import { DialogError } from '../acknowledge/DialogParts.tsx';
import { DurationChoice } from './DurationChoice.tsx';
import classes from './Shelve.module.css';
import { type AlarmToShelve, type ShelvingChoice, type ShelvingQuestion, sendShelving } from './shelve.queries.ts';
import { type ChosenTime, durationLabel, endOf, endToSend, standardDuration, timeProblem } from './shelve-time.ts';
import { generalReasons, namesOf, reasonText, scopeExtent, scopeLabel, targetWords } from './shelve-words.ts';

const MAX_REASON = 300;

interface ShelveFormProps {
  question: ShelvingQuestion;
  alarm: AlarmToShelve;
  /** True for the form on a phone, where tapping a reason shelves at once. */
  phone: boolean;
  onClose: () => void;
}

/** Form of the shelve dialog: scope, duration, reason, and what the shelving does. */
export function ShelveForm({ question, alarm, phone, onClose }: ShelveFormProps) {
  const { choices, longestHours } = question;
  const client = useQueryClient();
  const me = useUser();
  const timeZone = useTimeZone();
  const [scope, setScope] = useState<ShelvingChoice['scope']>('alarm');
  const [time, setTime] = useState<ChosenTime>({ duration: longestHours > 0 ? standardDuration : '15', until: '' });
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  const [writes, setWrites] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const choice = choices.find((one) => one.scope === scope) ?? (choices[0] as ShelvingChoice);
  const problem = useFromNow((moment) => timeProblem(time, moment, timeZone, longestHours) ?? '');
  const until = useFromNow((moment) => {
    const end = problem === '' ? endOf(time, moment, timeZone) : null;
    return end === null ? '' : formatMoment(end, moment, timeZone);
  });
  const reasons = question.reasons.length > 0 ? question.reasons : generalReasons;
  const reason = reasonText(chosen, typed);
  const needsTick = choice.critical && !confirmed;

  const shelve = async (why: string) => {
    setTried(true);
    setFailure('');
    const end = endToSend(time, now(), timeZone);
    if (busy || end === null || problem !== '' || why === '' || needsTick) return;
    setBusy(true);
    try {
      await sendShelving({
        ...{ scope: choice.scope, targetUuid: choice.targetUuid, end, reason: why },
        confirmCritical: confirmed,
      });
      toast.success(`Shelved until ${until}.`);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
    await client.invalidateQueries({ queryKey: ['alarm'] });
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void shelve(reason);
  };
  const button = durationLabel(time.duration) ? `Shelve for ${durationLabel(time.duration)}` : 'Shelve';
  const setOtherScope = (next: string) => {
    setScope(next as ShelvingChoice['scope']);
    setConfirmed(false);
  };
  const confirm = choice.critical ? (
    <Checkbox
      className={classes.confirm}
      label={
        <>
          {scope === 'alarm' ? 'This alarm is ' : 'Alarms here can be '}
          <b>critical</b>. I confirm that nobody needs to be notified{until === '' ? '' : ` until ${until}`}.
        </>
      }
      checked={confirmed}
      error={tried && needsTick ? 'Confirm this to shelve.' : null}
      onChange={(event) => setConfirmed(event.currentTarget.checked)}
    />
  ) : null;
  const noReason = tried && reason === '' ? fieldSentences['shelve-reason'] : null;
  const trouble = failure === '' ? null : <DialogError>{failure}</DialogError>;
  const duration = (
    <DurationChoice
      label={phone ? 'Duration' : 'For'}
      value={time}
      longestHours={longestHours}
      error={problem || null}
      onChange={setTime}
    />
  );

  if (phone) {
    return (
      <form className={classes.form} onSubmit={submit}>
        <NativeSelect
          label="Scope"
          data={choices.map((one) => ({
            value: one.scope,
            label: one.scope === 'alarm' ? scopeLabel('alarm') : `${scopeLabel(one.scope)} ${one.name}`,
          }))}
          value={scope}
          onChange={(event) => setOtherScope(event.currentTarget.value)}
        />
        {duration}
        {confirm}
        {trouble}
        <h3 className={classes.label} id="shelve-reasons">
          {until === '' ? 'Tap a reason to shelve' : `Tap a reason to shelve until ${until}`}
        </h3>
        <fieldset className={look.group} aria-labelledby="shelve-reasons">
          <div className={look.reasons}>
            {reasons.map((one) => (
              <button
                key={one}
                type="button"
                className={look.reason}
                aria-disabled={busy}
                onClick={() => void shelve(one)}
              >
                {one}
                <TbCheck size={16} strokeWidth={1.75} aria-hidden />
              </button>
            ))}
          </div>
        </fieldset>
        {writes ? (
          <>
            <TextInput
              label="Reason"
              maxLength={MAX_REASON}
              value={typed}
              error={noReason}
              autoFocus
              autoComplete="off"
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" size="lg" loading={busy}>
              {button}
            </Button>
          </>
        ) : (
          <button type="button" className={look.more} onClick={() => setWrites(true)}>
            <TbPencil size={16} strokeWidth={1.75} aria-hidden />
            Write another reason
          </button>
        )}
        <p className={look.foot}>
          Nobody is notified while it is shelved. If an alarm is still open{' '}
          {until === '' ? 'afterwards' : `at ${until}`}, its recipients are notified at once. Recorded as{' '}
          {me.display_name}.
        </p>
      </form>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <Radio.Group className={classes.field} label="Scope" value={scope} onChange={setOtherScope}>
        <div className={classes.scopes}>
          {choices.map((one) => (
            <Radio
              key={one.scope}
              value={one.scope}
              classNames={{ root: classes.scope, labelWrapper: classes.scopeText, label: classes.scopeLabel }}
              label={
                <>
                  <span>
                    <b>{scopeLabel(one.scope)}</b> {one.scope === 'alarm' ? null : one.name}
                  </span>
                  <small>{scopeExtent(one)}</small>
                </>
              }
            />
          ))}
        </div>
      </Radio.Group>
      {duration}
      <fieldset className={classes.field}>
        <legend className={classes.label}>Reason</legend>
        <div className={classes.chips}>
          {reasons.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === chosen}
              onClick={() => setChosen(one === chosen ? '' : one)}
            >
              {one}
            </button>
          ))}
        </div>
        <TextInput
          aria-label={chosen === '' ? 'Reason' : 'Details'}
          placeholder={chosen === '' ? 'Or enter a reason' : 'Details, if needed'}
          maxLength={MAX_REASON}
          value={typed}
          error={noReason}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </fieldset>
      <Effects alarm={alarm} choice={choice} until={until} />
      {confirm}
      {trouble}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          {button}
        </Button>
      </div>
    </form>
  );
}

/** Lists the effects of the shelving, so that the user knows who will not be notified. */
function Effects({ alarm, choice, until }: { alarm: AlarmToShelve; choice: ShelvingChoice; until: string }) {
  const timeZone = useTimeZone();
  const escalatesAt = useFromNow((moment) =>
    alarm.nextEscalationAt === null ? '' : formatMoment(new Date(alarm.nextEscalationAt), moment, timeZone),
  );
  const people = namesOf(alarm.recipients, 'alert');
  const escalated = namesOf(alarm.recipients, 'escalate');
  const isOne = choice.scope === 'alarm';
  return (
    <ul className={classes.effects} aria-label="Effects">
      <li>
        <TbBellOff size={16} strokeWidth={1.75} aria-hidden />
        <span>
          {isOne && people.length > 0 ? (
            <>
              No notifications to <b>{people.join(', ')}</b>
            </>
          ) : (
            `Nobody is notified of ${isOne ? '' : 'alarms of '}${targetWords(choice.scope, choice.name)}`
          )}
        </span>
      </li>
      {escalatesAt !== '' && escalated.length > 0 ? (
        <li>
          <TbArrowUp size={16} strokeWidth={1.75} aria-hidden />
          <span>
            No escalation to <b>{escalated.join(', ')}</b> at {escalatesAt}
          </span>
        </li>
      ) : null}
      <li>
        <TbHistory size={16} strokeWidth={1.75} aria-hidden />
        <span>Readings and alarms are still recorded</span>
      </li>
      <li>
        <TbBell size={16} strokeWidth={1.75} aria-hidden />
        <span>
          Recipients of alarms that are still open {until === '' ? 'afterwards' : `at ${until}`} are notified at once
        </span>
      </li>
    </ul>
  );
}
