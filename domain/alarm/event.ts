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
  | 'not-told'
  | 'action'
  | 'rule-changed'
  | 'message';

/** Something that happened to an alarm, for its timeline. */
export interface NewEvent {
  alarmUuid: string;
  customerUuid: string;
  at: number;
  kind: EventKind;
  sentence: string;
  detail?: object;
}
