export interface Effect {
  noun: string;
  rows: number;
  stays: boolean;
}

const words: Readonly<Record<string, [one: string, many: string]>> = {
  asset: ['asset', 'assets'],
  sensor_channel: ['channel with its readings', 'channels with their readings'],
  asset_datapoint: ['data point', 'data points'],
  history: ['channel’s stored readings', 'channels’ stored readings'],
  kept_history: [
    'channel keeps its readings; a new data point shows them again',
    'channels keep their readings; new data points show them again',
  ],
  rule: ['rule', 'rules'],
  rules_json: ['multi-condition rule', 'multi-condition rules'],
  rule_alert: ['rule alert', 'rule alerts'],
  reason: ['reason', 'reasons'],
  action: ['action', 'actions'],
  site_user: ['user link', 'user links'],
  rule_alert_user: ['recipient of a rule alert', 'recipients of rule alerts'],
  rule_escalate_user: ['recipient of an escalation', 'recipients of escalations'],
  destination: ['destination', 'destinations'],
  rule_step_recipient: ['recipient of an escalation plan', 'recipients of escalation plans'],
  reply_message: ['command', 'commands'],
  site: ['site stays, without this group', 'sites stay, without this group'],
  alarm: ['alarm stays in the log', 'alarms stay in the log'],
  kept_rule_alert: [
    'rule alert stays, with its people, escalation and reasons',
    'rule alerts stay, with their people, escalation and reasons',
  ],
  maintenance_window: ['maintenance window ends', 'maintenance windows end'],
  rota_layer: ['layer', 'layers'],
  rota_override: ['override', 'overrides'],
  rota_gap: [
    'layer of a rota gets gaps, because this person is in turn',
    'layers of rotas get gaps, because this person is in turn',
  ],
  quiet_alarm: [
    'alarm is still open, so its recipients are notified at once',
    'alarms are still open, so their recipients are notified at once',
  ],
  dependent: ['rule or site stays, without this cause', 'rules or sites stay, without this cause'],
  open_alarm: ['open alarm is resolved', 'open alarms are resolved'],
};

const watched = new Set(['rule', 'rules_json', 'open_alarm']);

/** Returns whether a deletion also deletes a rule or resolves an open alarm. */
export function endsWatch(effects: readonly Effect[]): boolean {
  return effects.some(({ noun, rows }) => rows > 0 && watched.has(noun));
}

function counted({ noun, rows }: Effect): string {
  const [one, many] = words[noun] ?? [noun, noun];
  return `${rows.toLocaleString()} ${rows === 1 ? one : many}`;
}

/** Returns the effects of a deletion as lines of text: the records that are deleted, and the records that stay. */
export function deletionWords(effects: readonly Effect[]): { goes: string[]; stays: string[] } {
  return {
    goes: effects.filter(({ stays }) => !stays).map(counted),
    stays: effects.filter(({ stays }) => stays).map(counted),
  };
}
