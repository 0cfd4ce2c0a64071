export type EventKind =
  | 'opened'
  | 'occurred'
  | 'clearing'
  | 'out-again'
  | 'one-back'
  | 'acknowledged'
  | 'resolved'
  | 'escalated'
  | 'escalation-stopped'
  | 'not-notified'
  | 'action'
  | 'rule-changed'
  | 'message'
  | 'shelved'
  | 'unshelved'
  | 'maintenance-started'
  | 'maintenance-ended'
  | 'dependency-started'
  | 'dependency-ended'
  | 'digest';

/** An entry of an alarm's timeline. */
export interface NewEvent {
  alarmUuid: string;
  customerUuid: string;
  at: number;
  kind: EventKind;
  sentence: string;
  detail?: object;
}
