import { Fragment, memo } from 'react';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, assetOf, lasted, quietState, severityOf } from '../../../kit/format/alarm.ts';
import { alarmName, withoutSite } from '../../../kit/format/alarm-name.ts';
import { isControl, usePageKeys } from '../../../ui/page-keys.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { stateWords } from '../../../ui/state-words.ts';
import { useDensity } from '../../../ui/table/density.ts';
import { RowCheckbox } from '../../../ui/table/RowCheckbox.tsx';
import { nextRow } from '../../../ui/table/row-keys.ts';
import frame from '../../../ui/table/TableFrame.module.css';
import { Age } from '../../../ui/time/Age.tsx';
import { Limit, Occurrences, Response, Value } from '../AlarmCells.tsx';
import classes from '../AlarmList.module.css';
import type { AlarmRow } from '../alarm.queries.ts';
import assignment from '../assign/Assignment.module.css';
import { Assignee } from '../assign/Assignment.tsx';
import { ShelvedResponse } from '../shelve/ShelvingState.tsx';
import { useRowFocus } from '../useRowFocus.ts';
import type { AlarmGroup } from './alarm-groups.ts';
import type { AlarmSelection } from './useAlarmSelection.ts';

export interface AlarmRowsProps {
  /** Groups of rows; undefined while the first rows load. */
  groups: readonly AlarmGroup[] | undefined;
  past: boolean;
  /** True for a list that contains both open and past alarms. */
  all?: boolean;
  /** Uuids of the alarms that appeared while the list was shown. */
  newUuids?: ReadonlySet<string>;
  openId: string | undefined;
  onOpen: (uuid: string | undefined) => void;
  fetching: boolean;
  selection: AlarmSelection;
}

/** Shortcuts that work anywhere on the page. */
const pageKeys = new Set(['j', 'k', 'x', 'a', 'r', 's', 't', 'Escape']);

const openHeads = ['Severity', 'Age', 'Message', 'Site and asset', 'Value', 'Limit', 'Response'];
// Past alarms are sorted by resolution time, so the second column shows it.
const pastHeads = ['Severity', 'Resolved', 'Message', 'Site and asset', 'Duration', 'Limit', 'Acknowledged'];
const allHeads = ['Severity', 'Age or end time', 'Message', 'Site and asset', 'Value or duration', 'Limit', 'Response'];

/**
 * Table of alarms with a roving tab index. Arrow keys, j, k, Home and End move the focus. Enter opens an alarm, Escape
 * closes it, and x selects it. The keys a and r acknowledge and resolve the selected alarms. If that is not possible,
 * they apply to the alarm that is open beside the list, whose panel then handles the key. If no alarm is open, they
 * apply to the focused row. The keys s and t shelve and take the open alarm or, if none is open, the focused one. Arrow
 * keys, Home, End and space work only inside the table, because elsewhere they scroll the page.
 */
export function AlarmTable(props: AlarmRowsProps) {
  const { groups, past, all = false, newUuids, openId, onOpen, fetching, selection } = props;
  const [density] = useDensity();
  const rows = groups?.flatMap((group) => group.rows) ?? [];
  const { table, inTabOrder, isEntered, focusRow, rowEvents } = useRowFocus(
    rows.map(({ uuid }) => uuid),
    openId,
  );
  const isForOpenAlarm = (key: string) =>
    openId !== undefined &&
    key !== 'x' &&
    (key === 's' || key === 't' || !selection.keysUseSelection[key === 'a' ? 'acknowledge' : 'resolve']);
  usePageKeys((event) => {
    const { key, target } = event;
    const row = target instanceof Element ? target.closest('tr[data-alarm]') : null;
    const isInside = row !== null && table.current?.contains(row) === true;
    // If the checkbox of a row has the focus, the space key toggles it. All other keys apply to the row.
    const isHandled = isInside
      ? !(isCheckbox(target) && key === ' ')
      : pageKeys.has(key) || (key === 'Enter' && !isControl(target));
    const index = rows.findIndex(({ uuid }) => uuid === inTabOrder);
    if (!isHandled || index < 0) {
      return;
    }
    const isMove = nextRow(key, index, rows.length) !== null;
    // If no row was focused before, the first move focuses the row in the tab order, not the row after it.
    const next = isInside || isEntered ? nextRow(key, index, rows.length) : isMove ? index : null;
    if (next !== null) {
      focusRow(next);
      // If the detail panel is open, show the focused alarm in it.
      if (openId !== undefined) {
        onOpen(rows[next]?.uuid);
      }
    } else if (key === 'Enter' || key === ' ') {
      focusRow(index);
      onOpen(rows[index]?.uuid);
    } else if (key === 'Escape') {
      onOpen(undefined);
    } else if (selection.isRowKey(key) && !isForOpenAlarm(key)) {
      focusRow(index);
      selection.pressKey(key, rows[index]);
    } else {
      return;
    }
    event.preventDefault();
  });
  return (
    <div className={`${frame.scroll} ${classes.scroll}`} data-fetching={fetching || undefined}>
      <table
        ref={table}
        className={`${frame.table} ${classes.table}`}
        data-density={density}
        data-past={past || undefined}
        data-choosing={selection.allowed || undefined}
        aria-label={all ? 'All alarms' : past ? 'Past alarms' : 'Open alarms'}
        aria-busy={groups === undefined || fetching}
      >
        <thead>
          <tr>
            {(all ? allHeads : past ? pastHeads : openHeads).map((head, index) => (
              <th key={head} scope="col">
                {index === 0 && selection.allowed ? (
                  <span className={classes.choice}>
                    <RowCheckbox
                      aria-label="Select all on this page"
                      checked={selection.all}
                      indeterminate={!selection.all && selection.selected.length > 0}
                      onChange={selection.toggleAll}
                    />
                    {head}
                  </span>
                ) : (
                  head
                )}
              </th>
            ))}
          </tr>
        </thead>
        {groups === undefined ? (
          <SkeletonBody />
        ) : (
          <tbody>
            {groups.map((group) => (
              <Fragment key={group.key}>
                {group.title ? (
                  <tr className={classes.group}>
                    <th colSpan={7} scope="rowgroup">
                      {group.title}{' '}
                      <span>
                        {(group.count ?? group.rows.length).toLocaleString()}
                        {group.note ? `, ${group.note}` : ''}
                      </span>
                    </th>
                  </tr>
                ) : null}
                {group.rows.map((alarm) => {
                  const index = rows.indexOf(alarm);
                  const isResolved = alarm.resolvedDate !== null;
                  const waiting = acknowledgementOf(alarm.acknowledgeJson) === null && quietState(alarm) === null;
                  return (
                    <tr
                      key={alarm.uuid}
                      data-alarm
                      data-waiting={waiting || undefined}
                      data-hot={(!isResolved && waiting && alarm.severity === 'critical') || undefined}
                      data-new={newUuids?.has(alarm.uuid) || undefined}
                      data-open={alarm.uuid === openId || undefined}
                      data-shelved={quietState(alarm) !== null || undefined}
                      tabIndex={alarm.uuid === inTabOrder ? 0 : -1}
                      aria-current={alarm.uuid === openId || undefined}
                      aria-selected={selection.allowed ? selection.has(alarm.uuid) : undefined}
                      {...rowEvents(alarm.uuid, index)}
                      onClick={() => onOpen(alarm.uuid === openId ? undefined : alarm.uuid)}
                    >
                      <Cells
                        alarm={alarm}
                        past={isResolved}
                        isAcknowledgedColumn={past}
                        selected={selection.allowed ? selection.has(alarm.uuid) : undefined}
                        onToggle={selection.toggle}
                      />
                    </tr>
                  );
                })}
              </Fragment>
            ))}
          </tbody>
        )}
      </table>
    </div>
  );
}

function isCheckbox(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'checkbox';
}

interface CellsProps {
  alarm: AlarmRow;
  past: boolean;
  /** True if the last column is headed “Acknowledged”. */
  isAcknowledgedColumn: boolean;
  /** True if the row is selected; undefined if this user is not allowed to handle alarms. */
  selected: boolean | undefined;
  onToggle: (uuid: string) => void;
}

/** Cells of one row, memoized because the list is refetched often and most rows do not change. */
const Cells = memo(function Cells({ alarm, past, isAcknowledgedColumn, selected, onToggle }: CellsProps) {
  const acknowledgement = acknowledgementOf(alarm.acknowledgeJson);
  const severity = severityOf(alarm.severity);
  const quiet = quietState(alarm);
  const shelved = quiet === 'shelved' || quiet === 'maintenance';
  const mark = quiet ? (
    <span>
      <StateMark state={quiet} />
      <small className={classes.second}>{stateWords[severity]}</small>
    </span>
  ) : (
    <StateMark state={severity} acknowledged={acknowledgement !== null} />
  );
  return (
    <>
      <td>
        {selected !== undefined ? (
          <span className={classes.choice}>
            <RowCheckbox
              aria-label={`Select ${alarmName(alarm)}`}
              tabIndex={-1}
              checked={selected}
              onClick={(event) => event.stopPropagation()}
              onChange={() => onToggle(alarm.uuid)}
            />
            {mark}
          </span>
        ) : (
          mark
        )}
      </td>
      <td>{past ? <At at={alarm.resolvedDate} /> : <Age at={alarm.dateTime} />}</td>
      <td className={classes.message}>
        {withoutSite(alarm.message, alarm.siteName)} <Occurrences alarm={alarm} />
        {shelved && alarm.shelving ? <small className={classes.second}>“{alarm.shelving.reason}”</small> : null}
        {quiet === 'consequence' ? <small className={classes.second}>Cause: {alarm.causeName}</small> : null}
      </td>
      <td>
        {alarm.siteName} <span className={classes.quiet}>{assetOf(alarm)}</span>
      </td>
      <td>{past ? lasted(alarm) : <Value alarm={alarm} />}</td>
      <td className={classes.quiet}>
        <Limit alarm={alarm} />
      </td>
      <td>
        <div className={assignment.response}>
          <Assignee alarm={alarm} />
          <div>
            {shelved ? (
              <ShelvedResponse alarm={alarm} />
            ) : (
              <Response alarm={alarm} isAcknowledgedColumn={isAcknowledgedColumn} />
            )}
          </div>
        </div>
      </td>
    </>
  );
});

const widths = ['64%', '44%', '72%', '56%', '40%', '52%', '60%'];

function SkeletonBody() {
  return (
    <tbody aria-hidden>
      {Array.from({ length: 8 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders have no id and never move.
        <tr key={row}>
          {widths.map((_width, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders have no id and never move.
            <td key={cell}>
              <Skeleton width={widths[(row * 2 + cell) % widths.length] ?? '50%'} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
