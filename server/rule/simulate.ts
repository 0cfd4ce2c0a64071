import { includesFlood } from '../../domain/alarm/alarm-flood.ts';
import { METHOD } from '../../domain/notification/methods.ts';
import { addressesOf, type Person } from '../../domain/notification/recipients.ts';
import { addressKey } from '../../domain/notification/stages.ts';
import { type LimitRefusal, limitRefusals } from '../../domain/rule/limit-refusals.ts';
import { limitsOf } from '../../domain/rule/limits.ts';
import { type ReplayedAlarm, ruleOfLimits } from '../../domain/rule/replay.ts';
import { type SimulatedRecipients, simulate } from '../../domain/rule/simulate.ts';
import type { Transaction } from '../platform/database.ts';
import { countFrom, type HistoryRefusal, loadHistory, type Range, refuse } from './history.ts';
import { isNuisance } from './nuisance.ts';
import { hasHiddenCauses, loadQuietPeriods } from './quiet.ts';

/** A new or edited rule before it is saved. */
export interface RuleDraft {
  datapointUuid: string;
  lower: number | null;
  upper: number | null;
  clearLower: number | null;
  clearUpper: number | null;
  debounce: number;
  /**
   * Rule name that selects the recipients and, for a new rule, the past alarms. If it is null, there are no recipients,
   * and the alarms of all rules are selected.
   */
  ruleName: string | null;
  /** Rule whose past alarms are selected, even if its name has changed. Null for a new rule. */
  ruleUuid: string | null;
}

export interface MissedAlarm {
  uuid: string;
  message: string;
  ruleName: string;
  openedAt: number;
  resolvedAt: number | null;
  reason: string;
}

export interface RuleSimulation {
  readings: number;
  late: number;
  alarms: ReplayedAlarm[];
  alarmsPerDay: number;
  chattering: number;
  messages: number;
  missed: MissedAlarm[];
  notes: string[];
}

const NO_DATAPOINT = 'This data point was deleted, or you do not have access to it. Choose another.';
const NO_RULE =
  'This rule was deleted, or you do not have access to it. Omit ruleUuid to match past alarms by ruleName.';

/**
 * Replays stored readings with the draft rule, using the same state machine as live evaluation. Refuses a data point
 * that the user is not allowed to see.
 */
export async function simulateRule(
  tx: Transaction,
  given: RuleDraft,
  range: Range,
): Promise<RuleSimulation | HistoryRefusal | { refusedLimits: LimitRefusal }> {
  const [refusedLimits] = limitRefusals(given);
  if (refusedLimits) return { refusedLimits };
  const site = await loadSite(tx, given.datapointUuid);
  if (site === undefined) return refuse('datapointUuid', NO_DATAPOINT);
  const stored = given.ruleUuid === null ? null : await nameOfRule(tx, given.ruleUuid);
  if (stored === undefined) return refuse('ruleUuid', NO_RULE);
  // An empty name counts as no name.
  const draft = { ...given, ruleName: (given.ruleName ?? stored) || null };
  const holdMs = draft.debounce * 1000;
  const history = await loadHistory(tx, draft.datapointUuid, range, holdMs);
  if ('refused' in history) return history;
  const past = await loadPastAlarms(tx, draft, range);
  const addresses = await loadAddresses(tx, site, draft);
  const quietPeriods = await loadQuietPeriods(tx, draft, range);
  const { times, values, late } = history;
  const { from, until } = range;
  const { missed, ...result } = simulate({
    rule: ruleOfLimits(limitsOf(draft), holdMs),
    ...{ times, values, from, until },
    pastAlarms: past.map(({ resolvedAt, ...alarm }) => ({
      ...alarm,
      resolvedAt: resolvedAt ?? undefined,
      acknowledged: true,
    })),
    recipients: addresses.recipients,
    quietPeriods,
  });
  const notes = [...addresses.notes];
  if (includesFlood(result.alarms.map(({ openedAt }) => openedAt))) notes.push(FLOOD_NOTE);
  if (quietPeriods.length > 0) notes.push(QUIET_NOTE);
  if (await hasHiddenCauses(tx, draft)) notes.push(HIDDEN_CAUSES_NOTE);
  const lost = new Set(missed);
  return {
    ...result,
    readings: countFrom(times, from),
    late: late.length,
    missed: past.filter(({ uuid }) => lost.has(uuid)),
    notes,
  };
}

async function loadSite(tx: Transaction, datapointUuid: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ site: string }>(
    `select a.tocsin_site_uuid as site from tocsin.asset_datapoint d join tocsin.asset a on a.uuid = d.tocsin_asset_uuid where d.uuid = $1`,
    [datapointUuid],
  );
  return rows[0]?.site;
}

/**
 * Returns the rule's name; undefined if the user is not allowed to see the rule. Looks up the rule by uuid alone,
 * because the draft may use another data point than the stored rule.
 */
async function nameOfRule(tx: Transaction, ruleUuid: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ name: string }>('select r.name from tocsin.rule r where r.uuid = $1', [ruleUuid]);
  return rows[0]?.name;
}

/**
 * Loads only acknowledged alarms whose reason is not marked as nuisance: their acknowledgement shows that these alarms
 * mattered to someone.
 */
async function loadPastAlarms(tx: Transaction, draft: RuleDraft, { from, until }: Range): Promise<MissedAlarm[]> {
  const { rows } = await tx.query<MissedAlarm>(
    `select a.uuid, a.message, a.rule_name as "ruleName", coalesce(a.reason, '') as reason,
       extract(epoch from a.date_time)::float8 * 1000 as "openedAt", extract(epoch from a.resolved_date)::float8 * 1000 as "resolvedAt"
     from tocsin.alarm a
     where a.tocsin_datapoint_uuid = $1 and a.source = 'limits' and a.acknowledge_json is not null
       and case when $5::uuid is null then $2::text is null or a.rule_name = $2
         when a.rule_uuid is null then a.rule_name = (select r.name from tocsin.rule r where r.uuid = $5) else a.rule_uuid = $5 end
       and not ${isNuisance('$2, (select r.name from tocsin.rule r where r.uuid = $5)')}
       and a.date_time <= to_timestamp($4::float8 / 1000)
       and (a.resolved_date is null or a.resolved_date >= to_timestamp($3::float8 / 1000))
     order by a.date_time, a.uuid`,
    [draft.datapointUuid, draft.ruleName, from, until, draft.ruleUuid],
  );
  return rows;
}

interface AlertUser extends Person {
  /** True if an action of the rule notifies this person; false if the rule alert notifies this person. */
  action: boolean;
  seen: boolean;
  alert: boolean;
  resolve: boolean;
}

/** Addresses that receive a notification when an alarm opens or resolves. */
interface NotifiedAddresses {
  recipients: SimulatedRecipients[];
  notes: string[];
}

/** Loads the addresses of the recipients. Counts one address for each person whom the user is not allowed to see. */
async function loadAddresses(tx: Transaction, siteUuid: string, draft: RuleDraft): Promise<NotifiedAddresses> {
  const { ruleName, ruleUuid, datapointUuid } = draft;
  if (ruleName === null) {
    const notes = ['No rule name was entered, so the recipients are unknown.'];
    return { recipients: [], notes };
  }
  const { rows } = await tx.query<AlertUser>(
    `select w.action, w.alert, w.resolve, p.uuid is not null as seen, p.uuid, p.display_name as name, p.status as active,
       p.varified, p.email, p.phone_number as phone,
       coalesce((select json_agg(s.uuid) from tocsin.push_subscription s where s.tocsin_user_uuid = p.uuid), '[]') as "pushAddresses",
       json_build_object('email', p.email_notification, 'sms', p.sms_notification, 'whatsapp', p.whatsapp_notification,
         'push', p.apps_notification) as wants
     from (
       select u.tocsin_user_uuid as uuid, u.is_alert as alert, u.is_resolve as resolve, false as action
       from tocsin.rule_alert r join tocsin.rule_alert_user u on u.tocsin_rule_alert_uuid = r.uuid
     where r.tocsin_site_uuid = $1 and r.tocsin_rule_name = coalesce(
       (select o.tocsin_rule_name from tocsin.rule_alert o where o.tocsin_site_uuid = $1 and o.tocsin_rule_name = $2),
       -- A renamed rule keeps the recipients of its old name, unless another alarm source still uses that name.
       (select k.name from tocsin.rule k where k.uuid = $3 and k.tocsin_site_uuid = $1 and tocsin_private.count_alarm_sources($1, k.name) = 1))
       union all
       select n.uuid::uuid, true, false, true
       from tocsin.asset_datapoint d join tocsin.action x on x.tocsin_asset_uuid = d.tocsin_asset_uuid
         and (x.tocsin_datapoint_uuid is null or x.tocsin_datapoint_uuid = d.uuid)
       cross join lateral (select x.notify_to::text as uuid where x.action = 1
         union all select regexp_split_to_table(btrim(x.tocsin_users), '[\\s,;]+') where x.action = 2) n
       where d.uuid = $4 and n.uuid ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
     ) w left join tocsin.user p on p.uuid = w.uuid`,
    [siteUuid, ruleName, ruleUuid, datapointUuid],
  );
  const hidden = rows.filter(({ seen }) => !seen).length;
  const notes: string[] = [];
  const hasSms = rows.some(
    (user) => user.seen && addressesOf(user).methods.some(({ method }) => method === METHOD.sms),
  );
  if (hasSms && (await hasSmsBudget(tx, siteUuid))) notes.push(BUDGET_NOTE);
  if (rows.every(({ action }) => action))
    notes.push(`Nobody is notified: this site has no rule alert for "${ruleName}".`);
  if (hidden > 0) {
    const who = hidden === 1 ? 'one recipient' : `${hidden} recipients`;
    const each = hidden === 1 ? 'this recipient' : 'each of them';
    notes.push(`You cannot see the notification methods of ${who}, so one message is counted for ${each}.`);
  }
  return { recipients: addressesIn(rows), notes };
}

const FLOOD_NOTE =
  'More than ten of these alarms open within ten minutes, which is an alarm flood. The simulation ignores it and counts every notification. In a flood, people get digests instead.';

const QUIET_NOTE =
  'Maintenance, shelving or a cause in alarm kept the rule quiet for some time. The simulation counts no notification in this time.';

const HIDDEN_CAUSES_NOTE =
  'The rule depends on a cause that you cannot see. The simulation ignores this cause and counts every notification.';

const BUDGET_NOTE =
  'This site has an SMS budget. The simulation ignores it and counts every SMS. When the budget is used up, minor alarms use other methods.';

/** Returns whether the company or the unit office of a site has an SMS budget. */
async function hasSmsBudget(tx: Transaction, siteUuid: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select from tocsin.site s join tocsin.customer c on c.uuid = s.tocsin_customer_uuid left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
     where s.uuid = $1 and coalesce(c.sms_day_budget, c.sms_month_budget, g.sms_day_budget, g.sms_month_budget) is not null`,
    [siteUuid],
  );
  return rows.length > 0;
}

/** Counts each shared address once. Counts one address for each person whom the user is not allowed to see. */
function addressesIn(users: readonly AlertUser[]): SimulatedRecipients[] {
  const byAddress = new Map<string, SimulatedRecipients>();
  users.forEach((user, index) => {
    const keys = user.seen ? addressesOf(user).methods.map(addressKey) : [`hidden ${index}`];
    for (const key of keys) {
      const known = byAddress.get(key);
      const openings = user.alert || (known?.openings ?? false);
      const resolutions = user.resolve || (known?.resolutions ?? false);
      byAddress.set(key, { openings, resolutions, addresses: 1 });
    }
  });
  const byKind = Map.groupBy(byAddress.values(), ({ openings, resolutions }) => `${openings} ${resolutions}`);
  return [...byKind.values()].map((same) => ({ ...(same[0] as SimulatedRecipients), addresses: same.length }));
}
