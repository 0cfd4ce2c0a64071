import { fieldSentences } from '../../../../domain/field-sentences.ts';
import type { NumberValue } from '../../../ui/number-text.ts';
import { numberOf } from '../rule-form.ts';
import type { RuleAlertInput, RuleAlertRecord } from './rule-alert.queries.ts';

export interface PersonRow {
  userUuid: string;
  name: string;
  isAlert: boolean;
  isResolve: boolean;
  isHealth: boolean;
}

export interface EscalateRow {
  userUuid: string;
  name: string;
}

export type RuleAlertValues = {
  tocsinSiteUuid: string | null;
  tocsinRuleName: string;
  indAck: boolean;
  escalateMinutes: NumberValue;
  escalateIntervalMinutes: NumberValue;
  escalateCount: NumberValue;
  people: PersonRow[];
  escalates: EscalateRow[];
  reasons: string[];
};

export const ruleAlertLabels: Readonly<Record<keyof RuleAlertValues, string>> = {
  tocsinSiteUuid: 'Site',
  tocsinRuleName: 'Rule',
  indAck: 'Must be acknowledged',
  escalateMinutes: 'Escalate after',
  escalateIntervalMinutes: 'Repeat every',
  escalateCount: 'Max. escalations',
  people: 'People notified',
  escalates: 'Escalation recipients',
  reasons: 'Reasons',
};

export function newRuleAlert(siteUuid: string | null, ruleName: string): RuleAlertValues {
  return {
    tocsinSiteUuid: siteUuid,
    tocsinRuleName: ruleName,
    indAck: true,
    escalateMinutes: 15,
    escalateIntervalMinutes: 15,
    escalateCount: 3,
    people: [],
    escalates: [],
    reasons: [],
  };
}

export function ruleAlertValues(alert: RuleAlertRecord): RuleAlertValues {
  return {
    tocsinSiteUuid: alert.tocsinSiteUuid,
    tocsinRuleName: alert.tocsinRuleName,
    indAck: alert.indAck,
    escalateMinutes: alert.escalateMinutes,
    escalateIntervalMinutes: alert.escalateIntervalMinutes,
    escalateCount: alert.escalateCount,
    people: alert.people.map(({ tocsinUserUuid, personName, isAlert, isResolve, isHealth }) => ({
      userUuid: tocsinUserUuid,
      name: personName ?? '',
      isAlert,
      isResolve,
      isHealth,
    })),
    escalates: alert.escalates.map(({ tocsinUserUuid, personName }) => ({
      userUuid: tocsinUserUuid,
      name: personName ?? '',
    })),
    reasons: alert.reasons.map(({ reason }) => reason).sort((one, other) => one.localeCompare(other)),
  };
}

const whole = (value: NumberValue, least: number, most: number) => {
  const number = numberOf(value);
  return number !== null && Number.isInteger(number) && number >= least && number <= most;
};

export function ruleAlertProblems(values: RuleAlertValues): Partial<Record<keyof RuleAlertValues, string>> {
  return {
    ...(!values.tocsinSiteUuid && { tocsinSiteUuid: 'Choose the site.' }),
    ...(values.tocsinRuleName.trim() === '' && { tocsinRuleName: 'Choose the rule.' }),
    ...(!whole(values.escalateMinutes, 1, 10_080) && { escalateMinutes: fieldSentences['escalation-minutes'] }),
    ...(!whole(values.escalateIntervalMinutes, 1, 10_080) && {
      escalateIntervalMinutes: fieldSentences['escalation-minutes'],
    }),
    ...(!whole(values.escalateCount, 1, 100) && {
      escalateCount:
        numberOf(values.escalateCount) === 0
          ? 'Enter at least 1. To turn escalation off, leave the list below empty.'
          : 'Enter a whole number from 1 to 100.',
    }),
  };
}

/** Sorts the reasons, most used first. */
export function byUse(
  reasons: readonly string[],
  uses: ReadonlyMap<string, number>,
): { reason: string; uses: number }[] {
  return reasons
    .map((reason) => ({ reason, uses: uses.get(reason.trim().toLowerCase()) ?? 0 }))
    .sort((one, other) => other.uses - one.uses || one.reason.localeCompare(other.reason));
}

/**
 * Returns the input for the API: the complete rule alert with its people and reasons. For a stored rule alert, it also
 * contains the uuid and the version mark.
 */
export function ruleAlertInput(
  values: RuleAlertValues,
  uuid: string | undefined,
  mark: string | undefined,
): RuleAlertInput {
  return {
    ...(uuid !== undefined && { uuid }),
    ...(mark !== undefined && { seen: mark }),
    tocsinSiteUuid: values.tocsinSiteUuid ?? '',
    tocsinRuleName: values.tocsinRuleName.trim(),
    indAck: values.indAck,
    escalateMinutes: numberOf(values.escalateMinutes) ?? 15,
    escalateIntervalMinutes: numberOf(values.escalateIntervalMinutes) ?? 15,
    escalateCount: numberOf(values.escalateCount) ?? 3,
    people: values.people.map(({ userUuid, isAlert, isResolve, isHealth }) => ({
      tocsinUserUuid: userUuid,
      isAlert,
      isResolve,
      isHealth,
    })),
    escalates: values.escalates.map(({ userUuid }) => userUuid),
    reasons: values.reasons,
  };
}
