import { get, lambda, type Step } from 'postgraphile/grafast';
import { extendSchema } from 'postgraphile/utils';
import type { PlanStep } from '../../../domain/alarm/plan.ts';
import type { LimitRefusal } from '../../../domain/rule/limit-refusals.ts';
import { type AlarmEvent, type AlarmExplanation, explainAlarm } from '../../alarm/explain.ts';
import { adviseRule } from '../../rule/advice.ts';
import { explainRule, type RecordedTransition, type RuleExplanation } from '../../rule/explain-rule.ts';
import { type Range, readRange } from '../../rule/history.ts';
import { type RuleSimulation, simulateRule } from '../../rule/simulate.ts';
import { adviceAnswer, adviceTypes } from './advice-schema.ts';
import { evaluationTypes } from './evaluation-types.ts';
import { answer, refusal, isoTime as time, isoTimeOrNull as timeOrNull } from './transaction-plan.ts';

const SHOWN = 100;
const MOST_SHOWN = 500;

/** Returns a function that runs tasks one after another. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/**
 * Adds the queries that explain why an alarm opened, why a rule opened no alarm, what a changed rule would do, and
 * which settings would avoid nuisance alarms. They read only rows that the user is allowed to see.
 */
export const EvaluationPlugin = extendSchema({
  typeDefs: [evaluationTypes, adviceTypes],
  objects: {
    Query: {
      plans: {
        explainAlarm: answer(['uuid'], async (tx, { uuid }) => {
          const found = await explainAlarm(tx, uuid);
          return found && alarmAnswer(found);
        }),
        explainRule: answer(['ruleUuid', 'from', 'to'], async (tx, { ruleUuid, from, to }, now) => {
          const found = await explainRule(tx, ruleUuid, rangeOf(from, to, now));
          if ('refused' in found) throw refusal(found.refused);
          return ruleAnswer(found);
        }),
        simulateRule: answer(['input'], async (tx, { input }, now) => {
          const range = rangeOf(input.from, input.to, now);
          const draft = {
            datapointUuid: input.datapointUuid,
            lower: input.valueLower ?? null,
            upper: input.valueUpper ?? null,
            clearLower: input.clearLower ?? null,
            clearUpper: input.clearUpper ?? null,
            debounce: input.debounce ?? 0,
            ruleName: input.ruleName ?? null,
            ruleUuid: input.ruleUuid ?? null,
          };
          const found = await simulateRule(tx, draft, range);
          if ('refused' in found) throw refusal(found.refused);
          if ('refusedLimits' in found) throw limitsRefusal(found.refusedLimits);
          return simulationAnswer(found, range);
        }),
        ruleAdvice: answer(
          ['ruleUuid', 'days'],
          async (tx, { ruleUuid, days }, now) => {
            const found = await adviseRule(tx, ruleUuid, days ?? 90, now);
            if ('refused' in found) throw refusal(found.refused);
            return adviceAnswer(found);
          },
          // Such a request can load tens of megabytes of history, so only one of them runs at a time.
          oneAtATime(),
        ),
      },
    },
    RuleSimulation: {
      plans: {
        alarms: ($simulation: Step, fieldArgs: { getRaw(name: string): Step }) =>
          lambda(
            [get($simulation, 'alarms'), fieldArgs.getRaw('first')] as never,
            ([alarms, first]: [object[], number | undefined]) => {
              if (first !== undefined && first !== null && (first < 0 || first > MOST_SHOWN)) {
                throw refusal({ field: 'first', sentence: `"first" must be a whole number from 0 to ${MOST_SHOWN}.` });
              }
              return alarms.slice(0, first ?? SHOWN);
            },
          ),
      },
    },
  },
} as never);

function rangeOf(from: unknown, to: unknown, now: number): Range {
  const range = readRange(String(from), String(to), now);
  if ('refused' in range) throw refusal(range.refused);
  return range;
}

function limitsRefusal({ field, sentence }: LimitRefusal): Error {
  const inputField = field === 'lower' ? 'valueLower' : field === 'upper' ? 'valueUpper' : field;
  return refusal({ field: inputField, sentence });
}

function transitionAnswer(transition: RecordedTransition): object {
  return { ...transition, at: time(transition.at), noticedAt: time(transition.noticedAt) };
}

function eventAnswer({ at, kind, sentence, detail }: AlarmEvent): object {
  return { at: time(at), kind, sentence, because: detail?.because ?? null, userUuid: detail?.user ?? null };
}

function alarmAnswer(alarm: AlarmExplanation): object {
  const { criteria, plan, escalationStep, nextEscalationAt } = alarm;
  return {
    ...alarm,
    alarmUuid: alarm.uuid,
    criteria: {
      kind: alarm.source,
      ruleUuid: alarm.ruleUuid,
      ruleName: alarm.ruleName,
      version: alarm.version,
      versionNow: alarm.versionNow,
      valueLower: criteria?.lower ?? null,
      valueUpper: criteria?.upper ?? null,
      clearLower: criteria?.clearLower ?? null,
      clearUpper: criteria?.clearUpper ?? null,
      debounce: criteria?.debounce ?? null,
      alarmState: criteria?.alarmState ?? null,
      words: criteria?.words ?? null,
      ruleJson: criteria?.ruleJson ?? null,
      silentHours: criteria?.hours ?? null,
    },
    pendingSince: timeOrNull(alarm.pendingSince),
    openedAt: time(alarm.openedAt),
    recordedAt: time(alarm.recordedAt),
    lastOccurredAt: timeOrNull(alarm.lastOccurredAt),
    samples: alarm.samples.map(({ at, value, out }) => ({ at: time(at), value, out })),
    transitions: alarm.transitions.map(transitionAnswer),
    stages: alarm.stages.map(({ name, held }) => ({ name, held: held.map(eventAnswer) })),
    recipients: alarm.recipients.map(({ uuid, name, onCall, notifiedWhen, methods, skipped }) => ({
      userUuid: uuid,
      name,
      onCallFor: onCall ?? null,
      notifiedWhen,
      methods: methods.map(({ method, address }) => ({ methodType: method, address })),
      skipped: skipped.map(({ method, because, sentence }) => ({ methodType: method ?? null, because, sentence })),
    })),
    escalation: plan && {
      ...plan,
      people: plan.people.length,
      step: escalationStep,
      nextAt: timeOrNull(nextEscalationAt),
      steps: (plan.steps ?? []).map((one, index) => stepAnswer(one, index, alarm.recipients)),
    },
    messages: alarm.messages.map((message) => ({
      ...message,
      queuedAt: time(message.queuedAt),
      sentAt: timeOrNull(message.sentAt),
      deliveredAt: timeOrNull(message.deliveredAt),
      failedAt: timeOrNull(message.failedAt),
      nextAttemptAt: timeOrNull(message.nextAttemptAt),
    })),
    timeline: alarm.timeline.map(eventAnswer),
  };
}

function stepAnswer(step: PlanStep, index: number, recipients: AlarmExplanation['recipients']): object {
  const names = new Map(recipients.map(({ uuid, name }) => [uuid, name]));
  return {
    ...{ step: index + 1, waitMinutes: step.waitMinutes, repeatCount: step.repeats, repeatMinutes: step.everyMinutes },
    recipients: [...step.people.flatMap((uuid) => names.get(uuid) ?? []), ...step.layers.map(({ name }) => name)],
  };
}

function replayedAnswer(alarm: RuleSimulation['alarms'][number]): object {
  const { since, openedAt, resolvedAt, peak } = alarm;
  return { since: time(since), openedAt: time(openedAt), resolvedAt: timeOrNull(resolvedAt), peak };
}

function alarmListed({ uuid, openedAt, resolvedAt }: { uuid: string; openedAt: number; resolvedAt: number | null }) {
  return { alarmUuid: uuid, openedAt: time(openedAt), resolvedAt: timeOrNull(resolvedAt) };
}

function ruleAnswer(rule: RuleExplanation): object {
  const sum = (count: (verdict: RuleExplanation['versions'][number]) => number) =>
    rule.versions.reduce((total, verdict) => total + count(verdict), 0);
  return {
    ...rule,
    from: time(rule.range.from),
    to: time(rule.range.until),
    readings: sum(({ readings }) => readings),
    lateReadings: sum(({ late }) => late),
    versions: rule.versions.map(({ version, from, until, because, sentence, readings, late, alarms }) => ({
      ...version,
      from: time(from),
      to: time(until),
      valueLower: version.lower,
      valueUpper: version.upper,
      debounce: version.holdMs / 1000,
      ...{ because, sentence, readings },
      lateReadings: late,
      wouldHaveOpened: alarms.slice(0, SHOWN).map(replayedAnswer),
    })),
    transitions: rule.transitions.map(transitionAnswer),
    alarms: rule.alarms.map(({ message, resolvedName, ...alarm }) => ({
      message,
      resolvedName,
      ...alarmListed(alarm),
    })),
  };
}

function simulationAnswer(simulation: RuleSimulation, { from, until }: Range): object {
  const { alarms, missed, late, ...rest } = simulation;
  return {
    ...rest,
    from: time(from),
    to: time(until),
    lateReadings: late,
    alarmCount: alarms.length,
    alarms: alarms.slice(0, MOST_SHOWN).map(replayedAnswer),
    missedCount: missed.length,
    missed: missed.slice(0, SHOWN).map((alarm) => ({
      message: alarm.message,
      ruleName: alarm.ruleName,
      reason: alarm.reason,
      ...alarmListed(alarm),
    })),
  };
}
