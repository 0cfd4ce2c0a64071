import type { Tree } from '../../../../domain/rule/conditions-tree.ts';
import { unwrapSingleGroups } from '../../../../domain/rule/conditions-words.ts';
import { Heading } from '../../../ui/Heading.tsx';
import { Age } from '../../../ui/time/Age.tsx';
import { type Condition, type Conditions, conditionOf, groupHeading, readConditions } from '../conditions.ts';
import classes from './AlarmConditions.module.css';
import detail from './AlarmDetail.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { ConditionCharts } from './ConditionCharts.tsx';

/**
 * Shows each condition, whether it is met, and charts of the data points. Renders nothing if the alarm has no
 * conditions.
 */
export function AlarmConditions({ alarm }: { alarm: AlarmDetail }) {
  const conditions = readConditions(alarm);
  if (conditions === null) {
    return null;
  }
  const { tree } = conditions;
  const isResolved = alarm.resolvedDate !== null;
  return (
    <>
      <section className={detail.section} aria-label="Conditions">
        <Heading>{groupHeading(tree)}</Heading>
        <ul className={classes.list}>
          <ConditionItems tree={tree} conditions={conditions} isResolved={isResolved} />
        </ul>
      </section>
      <ConditionCharts alarm={alarm} conditions={conditions} />
    </>
  );
}

interface ConditionItemsProps {
  tree: Tree;
  conditions: Conditions;
  isResolved: boolean;
}

function ConditionItems({ tree, conditions, isResolved }: ConditionItemsProps) {
  const parts = tree.kind === 'comparison' ? [tree] : tree.parts;
  return parts.map((part, index) => {
    const inner = part.kind === 'comparison' ? part : unwrapSingleGroups(part);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id, and their order never changes.
      <li key={index}>
        {inner.kind === 'comparison' ? (
          <ConditionLine condition={conditionOf(inner, conditions)} isResolved={isResolved} />
        ) : (
          <>
            <span className={classes.together}>{groupHeading(inner)}</span>
            <ul className={classes.list}>
              <ConditionItems tree={inner} conditions={conditions} isResolved={isResolved} />
            </ul>
          </>
        )}
      </li>
    );
  });
}

/** Shows whether the condition is met now. For a resolved alarm, shows whether it was met when the alarm opened. */
function ConditionLine({
  condition: { words, now, opened },
  isResolved,
}: {
  condition: Condition;
  isResolved: boolean;
}) {
  const reading = isResolved ? opened : now;
  return (
    <div className={classes.one} data-holds={reading?.holds || undefined}>
      <span>{words}</span>
      <b className={classes.holds}>{holdsText(reading, isResolved)}</b>
      <small>
        {isResolved ? null : now ? (
          <>
            {now.text} now, <Age at={now.at} /> ago
          </>
        ) : (
          'no value yet'
        )}
        {opened && !isResolved ? '; ' : ''}
        {opened ? `${opened.text} when it opened` : null}
      </small>
    </div>
  );
}

function holdsText(reading: { holds: boolean } | null, isResolved: boolean): string {
  if (reading === null) {
    return isResolved ? '' : 'not known';
  }
  return reading.holds ? 'met' : 'not met';
}
