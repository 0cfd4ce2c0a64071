import { Fragment, memo } from 'react';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, assetOf, lasted, severityOf } from '../../../kit/format/alarm.ts';
import { alarmName, withoutSite } from '../../../kit/format/alarm-name.ts';
import { isControl, usePageKeys } from '../../../ui/page-keys.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { useDensity } from '../../../ui/table/density.ts';
import { RowCheckbox } from '../../../ui/table/RowCheckbox.tsx';
import { nextRow } from '../../../ui/table/row-keys.ts';
import frame from '../../../ui/table/TableFrame.module.css';
import { Age } from '../../../ui/time/Age.tsx';
import { Limit, Occurrences, Told, Value } from '../AlarmCells.tsx';
import classes from '../AlarmList.module.css';
import type { AlarmRow } from '../alarm.queries.ts';
import { useRowFocus } from '../useRowFocus.ts';
import type { AlarmGroup } from './alarm-groups.ts';
import type { AlarmSelection } from './useAlarmSelection.ts';

export interface AlarmRowsProps {
  /** Undefined while the first ones are on their way. */
  groups: readonly AlarmGroup[] | undefined;
  past: boolean;
  /** Both open and past ones. */
  all?: boolean;
  /** Those that came while the list was in view. */
  newcomers?: ReadonlySet<string>;
  openId: string | undefined;
  onOpen: (uuid: string | undefined) => void;
  fetching: boolean;
  choosing: AlarmSelection;
}

/** Keys that mean nothing elsewhere on the page. */
const anywhere = new Set(['j', 'k', 'x', 'a', 'r', 'Escape']);

const openHeads = ['Severity', 'Age', 'Message', 'Site and asset', 'Value', 'Limit', 'Response'];
// Past alarms come in the order they were resolved, so that is the time they show.
const pastHeads = ['Severity', 'Resolved', 'Message', 'Site and asset', 'Lasted', 'Limit', 'Acknowledged'];
const allHeads = ['Severity', 'Since, or end', 'Message', 'Site and asset', 'Value, or lasted', 'Limit', 'Response'];

/**
 * One row is in the tab order; arrows, j and k, Home and End move within, Enter opens, Escape closes. For those who may
 * handle alarms x chooses, and a and r acknowledge and resolve what is chosen; where nothing is that it can be done to, they
 * mean the alarm that is open beside the list, which answers them itself, or else this row. All but the arrows, Home, End and
 * space, which scroll a page, do so wherever the focus stands.
 */
export function AlarmTable(props: AlarmRowsProps) {
  const { groups, past, all = false, newcomers, openId, onOpen, fetching, choosing } = props;
  const [density] = useDensity();
  const rows = groups?.flatMap((group) => group.rows) ?? [];
  const { table, inTabOrder, isEntered, focusRow, rowEvents } = useRowFocus(
    rows.map(({ uuid }) => uuid),
    openId,
  );
  const isOfOpen = (key: string) =>
    openId !== undefined && key !== 'x' && !choosing.taken[key === 'a' ? 'acknowledge' : 'resolve'];
  usePageKeys((event) => {
    const { key, target } = event;
    const row = target instanceof Element ? target.closest('tr[data-alarm]') : null;
    const isInside = row !== null && table.current?.contains(row) === true;
    // Whoever has ticked a row with the mouse has the focus in its box, and means the row.
    const isFree = isInside
      ? !(isBox(target) && key === ' ')
      : anywhere.has(key) || (key === 'Enter' && !isControl(target));
    const index = rows.findIndex(({ uuid }) => uuid === inTabOrder);
    if (!isFree || index < 0) {
      return;
    }
    const isMove = nextRow(key, index, rows.length) !== null;
    // From outside the first step leads into the list, and what is done to a row shows which one that is.
    const next = isInside || isEntered ? nextRow(key, index, rows.length) : isMove ? index : null;
    if (next !== null) {
      focusRow(next);
      // An open detail follows the row, so that a list can be read through by keys.
      if (openId !== undefined) {
        onOpen(rows[next]?.uuid);
      }
    } else if (key === 'Enter' || key === ' ') {
      focusRow(index);
      onOpen(rows[index]?.uuid);
    } else if (key === 'Escape') {
      onOpen(undefined);
    } else if (choosing.means(key) && !isOfOpen(key)) {
      focusRow(index);
      choosing.press(key, rows[index]);
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
        data-choosing={choosing.allowed || undefined}
        aria-label={all ? 'All alarms' : past ? 'Past alarms' : 'Open alarms'}
        aria-busy={groups === undefined || fetching}
      >
        <thead>
          <tr>
            {(all ? allHeads : past ? pastHeads : openHeads).map((head, index) => (
              <th key={head} scope="col">
                {index === 0 && choosing.allowed ? (
                  <span className={classes.choice}>
                    <RowCheckbox
                      aria-label="Select all on this page"
                      checked={choosing.all}
                      indeterminate={!choosing.all && choosing.chosen.length > 0}
                      onChange={choosing.toggleAll}
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
                      {group.title} <span>{(group.count ?? group.rows.length).toLocaleString()}</span>
                    </th>
                  </tr>
                ) : null}
                {group.rows.map((alarm) => {
                  const index = rows.indexOf(alarm);
                  const isOver = alarm.resolvedDate !== null;
                  const waiting = acknowledgementOf(alarm.acknowledgeJson) === null;
                  return (
                    <tr
                      key={alarm.uuid}
                      data-alarm
                      data-waiting={waiting || undefined}
                      data-hot={(!isOver && waiting && alarm.severity === 'critical') || undefined}
                      data-new={newcomers?.has(alarm.uuid) || undefined}
                      data-open={alarm.uuid === openId || undefined}
                      tabIndex={alarm.uuid === inTabOrder ? 0 : -1}
                      aria-current={alarm.uuid === openId || undefined}
                      aria-selected={choosing.allowed ? choosing.has(alarm.uuid) : undefined}
                      {...rowEvents(alarm.uuid, index)}
                      onClick={() => onOpen(alarm.uuid === openId ? undefined : alarm.uuid)}
                    >
                      <Cells
                        alarm={alarm}
                        past={isOver}
                        isWho={past}
                        chosen={choosing.allowed ? choosing.has(alarm.uuid) : undefined}
                        onToggle={choosing.toggle}
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

function isBox(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'checkbox';
}

interface CellsProps {
  alarm: AlarmRow;
  past: boolean;
  /** The last column is about who acknowledged alone. */
  isWho: boolean;
  /** Undefined where this person handles no alarms. */
  chosen: boolean | undefined;
  onToggle: (uuid: string) => void;
}

/** Drawn again only when something of this alarm changed: a list is asked for often, and most of it stays as it is. */
const Cells = memo(function Cells({ alarm, past, isWho, chosen, onToggle }: CellsProps) {
  const acknowledgement = acknowledgementOf(alarm.acknowledgeJson);
  const mark = <StateMark state={severityOf(alarm.severity)} acknowledged={acknowledgement !== null} />;
  return (
    <>
      <td>
        {chosen !== undefined ? (
          <span className={classes.choice}>
            <RowCheckbox
              aria-label={`Select ${alarmName(alarm)}`}
              tabIndex={-1}
              checked={chosen}
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
      </td>
      <td>
        {alarm.siteName} <span className={classes.quiet}>{assetOf(alarm)}</span>
      </td>
      <td>{past ? lasted(alarm) : <Value alarm={alarm} />}</td>
      <td className={classes.quiet}>
        <Limit alarm={alarm} />
      </td>
      <td>
        <Told alarm={alarm} isWho={isWho} />
      </td>
    </>
  );
});

const widths = ['64%', '44%', '72%', '56%', '40%', '52%', '60%'];

function SkeletonBody() {
  return (
    <tbody aria-hidden>
      {Array.from({ length: 8 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity but their place.
        <tr key={row}>
          {widths.map((_width, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity but their place.
            <td key={cell}>
              <Skeleton width={widths[(row * 2 + cell) % widths.length] ?? '50%'} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
