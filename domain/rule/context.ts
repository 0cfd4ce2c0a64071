import type { NamedLayer } from '../alarm/plan.ts';
import type { PointWords } from './conditions-words.ts';
import type { Priority } from './priority.ts';

/** The cause of an alarm: limits, the alarm state of a digital channel, or conditions. */
export type RuleKind = 'limits' | 'digital' | 'conditions';

/** Recipients and escalation settings. All rules of a site with the same name share one rule alert. */
export interface RuleAlert {
  uuid: string;
  indAck: boolean;
  afterMinutes: number;
  everyMinutes: number;
  times: number;
  users: { uuid: string; isAlert: boolean; isResolve: boolean; isHealth: boolean }[];
  escalate: string[];
  /** What the escalation plan has beyond the fields above; null or missing for a plan of people in two steps. */
  steps?: StoredStep[] | null;
}

/** A step as stored. Steps 1 and 2 have only rotas here, and step 1 its repeats. */
export interface StoredStep {
  step: number;
  waitMinutes: number | null;
  repeats: number;
  everyMinutes: number;
  people: string[];
  layers: NamedLayer[];
}

export interface Action {
  uuid: string;
  /** Kind of action: 1 notify one person, 2 notify the listed people, 3 queue a sensor command. */
  action: number;
  acknowledge: boolean;
  escalate: boolean;
  people: string[];
  command: string;
  /** The sensor that receives the command. */
  sensorUid: string | null;
}

/** A data point that conditions can refer to, with the key of its channel. */
export interface ConditionPoint extends PointWords {
  channelKey: number;
}

/** The current configuration that determines the alarm of a rule. */
export interface Context {
  watchUuid: string;
  kind: RuleKind;
  ruleName: string;
  version: number;
  customerUuid: string;
  timeZone: string;
  defaultMessage: string | null;
  siteUuid: string;
  siteName: string;
  assetUuid: string | null;
  assetName: string;
  datapointUuid: string | null;
  datapointName: string;
  unit: string;
  channelKey: number | null;
  channelMajor: boolean;
  /** Name of a digital channel and its configured texts. */
  channelName: string;
  channelTitle: string;
  lowText: string;
  highText: string;
  alarmCondition: number | null;
  lower: number | null;
  upper: number | null;
  clearLower: number | null;
  clearUpper: number | null;
  debounce: number;
  priority: Priority;
  /** The rule's own message template; empty if it has none. */
  message: string;
  ruleJson: string | null;
  /** Data points of the site, keyed by uuid; set only for multi-condition rules. */
  points?: Readonly<Record<string, ConditionPoint>>;
  alert: RuleAlert | null;
  actions: Action[];
}
