import type { Tree } from '../../../../domain/rule/conditions-tree.ts';
import { unwrapSingleGroups } from '../../../../domain/rule/conditions-words.ts';
import { Heading } from '../../../ui/Heading.tsx';
import { Age } from '../../../ui/time/Age.tsx';
import { type Condition, type Conditions, conditionOf, readConditions, togetherWords } from '../conditions.ts';
import classes from './AlarmConditions.module.css';
import detail from './AlarmDetail.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { ConditionCharts } from './ConditionCharts.tsx';

/** Of an alarm of conditions what each of them says, whether it holds, and how its data points went. */
export function AlarmConditions({ alarm }: { alarm: AlarmDetail }) {
  const conditions = readConditions(alarm);
  if (conditions === null) {
    return null;
  }
  const { tree } = conditions;
  const isOver = alarm.resolvedDate !== null;
  return (
    <>
      <section className={detail.section} aria-label="Its conditions">
        <Heading>{togetherWords(tree)}</Heading>
        <ul className={classes.list}>
          <Parts tree={tree} conditions={conditions} isOver={isOver} />
        </ul>
      </section>
      <ConditionCharts alarm={alarm} conditions={conditions} />
    </>
  );
}

interface PartsProps {
  tree: Tree;
  conditions: Conditions;
  isOver: boolean;
}

function Parts({ tree, conditions, isOver }: PartsProps) {
  const parts = tree.kind === 'comparison' ? [tree] : tree.parts;
  return parts.map((part, index) => {
    const inner = part.kind === 'comparison' ? part : unwrapSingleGroups(part);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their place, and never change it.
      <li key={index}>
        {inner.kind === 'comparison' ? (
          <One condition={conditionOf(inner, conditions)} isOver={isOver} />
        ) : (
          <>
            <span className={classes.together}>{togetherWords(inner)}</span>
            <ul className={classes.list}>
              <Parts tree={inner} conditions={conditions} isOver={isOver} />
            </ul>
          </>
        )}
      </li>
    );
  });
}

/** While the alarm is open it says how it is now, and afterwards how it was. */
function One({ condition: { words, now, opened }, isOver }: { condition: Condition; isOver: boolean }) {
  const said = isOver ? opened : now;
  return (
    <div className={classes.one} data-holds={said?.holds || undefined}>
      <span>{words}</span>
      <b className={classes.holds}>{holdsWords(said, isOver)}</b>
      <small>
        {isOver ? null : now ? (
          <>
            {now.text} now, <Age at={now.at} /> ago
          </>
        ) : (
          'no value yet'
        )}
        {opened && !isOver ? '; ' : ''}
        {opened ? `${opened.text} when it opened` : null}
      </small>
    </div>
  );
}

function holdsWords(said: { holds: boolean } | null, isOver: boolean): string {
  if (said === null) {
    return isOver ? '' : 'not known';
  }
  return isOver ? (said.holds ? 'held' : 'did not hold') : said.holds ? 'holds' : 'does not hold';
}
