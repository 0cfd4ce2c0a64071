import { gql } from 'postgraphile/utils';
import type { RecordedAlarm, RuleAdvice, ShownTrial } from '../../rule/advice.ts';

/** The fields `because` and `class` are codes such as `no-nuisance`. The field `sentence` explains them to users. */
export const adviceTypes = gql`
  type AdviceReason {
    """The reason of the acknowledgements; null for alarms that nobody acknowledged."""
    reason: String
    """nuisance, real or unknown."""
    class: String!
    alarms: Int!
  }

  """The alarms that the rule opened in the period, by what people said about them."""
  type AdviceAlarmCounts {
    alarms: Int!
    """Acknowledged with a reason that is marked as nuisance today."""
    nuisance: Int!
    """Acknowledged with any other reason."""
    real: Int!
    """Not acknowledged."""
    unknown: Int!
    """Alarms in a group of at least three within a minute."""
    chattering: Int!
    """Alarms that resolved within 30 seconds."""
    fleeting: Int!
    """The most frequent reasons of each class, at most 50."""
    reasons: [AdviceReason!]!
  }

  """The stored readings of one day in the customer's time zone. The values are null without readings."""
  type AdviceDay {
    start: Datetime!
    readings: Int!
    lowest: Float
    highest: Float
    mean: Float
  }

  """Settings of a rule, and what they would have done on the stored readings."""
  type RuleTrial {
    valueLower: Float
    valueUpper: Float
    clearLower: Float
    clearUpper: Float
    """In seconds."""
    debounce: Int!
    """Number of alarms that would have opened."""
    alarms: Int!
    """Number of alarms that would have opened on each day of the advice."""
    alarmsPerDay: [Int!]!
    """Recorded nuisance alarms that would not have opened."""
    nuisanceAvoided: Int!
    """Recorded real alarms that would have opened as well."""
    realKept: Int!
    realMissed: Int!
    """The first 100 real alarms that would not have opened."""
    missed: [MissedAlarm!]!
    """The longest time by which a kept real alarm would have opened later, in seconds."""
    delay: Int!
    """How long alarms would have been open in total, in seconds."""
    openSeconds: Float!
    """
    True if the settings miss no real alarm that the present settings open, delay none by more than the longest debounce
    that is proposed, and keep no alarm open for much longer. Only such settings are proposed.
    """
    isSafe: Boolean!
  }

  """Settings that would avoid nuisance alarms of a rule. Nothing is changed: save the rule to use them."""
  type RuleAdvice {
    """
    proposal, no-better, no-alarms, no-acknowledgements, no-nuisance, few-nuisance, few-readings, conditions or digital.
    The last two are kinds of rules for which there is no advice.
    """
    because: String!
    sentence: String!
    """What limits the advice, such as alarms without stored readings."""
    notes: [String!]!
    from: Datetime!
    to: Datetime!
    """Null for multi-condition rules and digital alarms, like the following fields."""
    ruleName: String
    siteName: String
    version: Int
    unit: String
    recorded: AdviceAlarmCounts
    """The first stored reading, if it is later than the start of the period. Roll-ups are not replayed."""
    replayedFrom: Datetime
    readings: Int
    lateReadings: Int
    days: [AdviceDay!]!
    """The present settings."""
    present: RuleTrial
    """
    The best settings that were tried, at most six. The first is the proposal if there is one. Settings that are not safe
    come last.
    """
    trials: [RuleTrial!]!
    """Number of settings tried, including the present ones."""
    tried: Int!
  }

  extend type Query {
    """
    Advice for one rule with limits: replays the stored readings of the last days (1 to 400, at most 2 million readings) with
    other limits, clear limits and debounces, by the state machine that evaluates live readings. Only for managers.
    """
    ruleAdvice(ruleUuid: UUID!, days: Int = 90): RuleAdvice
  }
`;

const SHOWN_MISSED = 100;
const time = (ms: number): string => new Date(Math.round(ms)).toISOString();

function missedAnswer({ uuid, message, reason, openedAt, resolvedAt }: RecordedAlarm, ruleName: string): object {
  return {
    ...{ alarmUuid: uuid, message, ruleName, reason: reason ?? '' },
    openedAt: time(openedAt),
    resolvedAt: resolvedAt === undefined ? null : time(resolvedAt),
  };
}

function trialAnswer({ settings, missed, perDay, openMs, delayMs, ...trial }: ShownTrial, ruleName: string): object {
  return {
    ...trial,
    valueLower: settings.lower,
    valueUpper: settings.upper,
    clearLower: settings.clearLower,
    clearUpper: settings.clearUpper,
    debounce: settings.debounce,
    alarmsPerDay: perDay,
    realMissed: missed.length,
    missed: missed.slice(0, SHOWN_MISSED).map((alarm) => missedAnswer(alarm, ruleName)),
    delay: Math.round(delayMs / 1000),
    openSeconds: openMs / 1000,
  };
}

export function adviceAnswer({ because, sentence, notes, range, result }: RuleAdvice): object {
  const common = { because, sentence, notes, from: time(range.from), to: time(range.until) };
  if (result === null) return { ...common, days: [], trials: [], tried: 0 };
  const { rule, recorded, replayedFrom, readings, late, days, present, trials, tried } = result;
  return {
    ...common,
    ...{ ruleName: rule.name, siteName: rule.siteName, version: rule.version, unit: rule.unit },
    ...{ recorded, readings, lateReadings: late, tried },
    replayedFrom: time(replayedFrom),
    days: days.map(({ start, ...day }) => ({ start: time(start), ...day })),
    present: trialAnswer(present, rule.name),
    trials: trials.map((trial) => trialAnswer(trial, rule.name)),
  };
}
