import { gql } from 'postgraphile/utils';

/** Reasons, phases and stages are codes such as `too-short`. The field `sentence` explains them to users. */
export const evaluationTypes = gql`
  """A change of a rule's state, as it was recorded."""
  type RecordedTransition {
    at: Datetime!
    """When the server recorded it."""
    noticedAt: Datetime!
    """normal, pending, open or clearing."""
    from: String!
    to: String!
    because: String!
    value: Float
    version: Int!
    alarmUuid: UUID
  }

  """The limits or conditions that opened the alarm, as they were then."""
  type AlarmCriteria {
    """limits, digital, conditions, silence or person."""
    kind: String!
    ruleUuid: UUID
    ruleName: String!
    version: Int
    """The current version of the rule; null if the rule was deleted."""
    versionNow: Int
    valueLower: Float
    valueUpper: Float
    clearLower: Float
    clearUpper: Float
    """In seconds."""
    debounce: Int
    """low or high: the alarm state of a digital channel."""
    alarmState: String
    """The conditions as a sentence."""
    words: String
    ruleJson: String
    """Hours without a frame after which a site is silent."""
    silentHours: Int
  }

  type AlarmSample {
    at: Datetime!
    value: Float!
    """True if this value is outside the limits; null if one value cannot decide it."""
    out: Boolean
  }

  """A stage that every message passes before it is queued, with the messages it suppressed."""
  type AlarmStage {
    name: String!
    held: [AlarmTimelineEntry!]!
  }

  type AlarmTimelineEntry {
    at: Datetime!
    kind: String!
    sentence: String!
    because: String
    userUuid: UUID
  }

  type AlarmRecipientMethod {
    """1 e-mail, 2 WhatsApp, 3 SMS, 4 app push."""
    methodType: Int!
    address: String!
  }

  type AlarmSkippedMethod {
    methodType: Int
    because: String!
    sentence: String!
  }

  """A recipient, with the methods that were usable when the alarm opened."""
  type AlarmRecipient {
    userUuid: UUID!
    name: String!
    """The rota and layer for which the person was on call; null for a named person."""
    onCallFor: String
    """when-it-opens, when-nobody-acknowledges or when-it-resolves. Users to whom the alarm was escalated are also listed with when-it-resolves."""
    notifiedWhen: String!
    methods: [AlarmRecipientMethod!]!
    skipped: [AlarmSkippedMethod!]!
  }

  type AlarmPlanStep {
    step: Int!
    """Minutes without acknowledgement since the step before."""
    waitMinutes: Int!
    repeatCount: Int!
    repeatMinutes: Int!
    """Names of people and rotas."""
    recipients: [String!]!
  }

  type AlarmEscalation {
    afterMinutes: Int!
    everyMinutes: Int!
    times: Int!
    people: Int!
    """Number of escalations so far."""
    step: Int!
    nextAt: Datetime
    """The steps of the plan that the alarm keeps; empty for a plan of people in two steps."""
    steps: [AlarmPlanStep!]!
  }

  type AlarmMessage {
    uuid: UUID!
    name: String!
    address: String!
    methodType: Int!
    kind: String!
    step: Int!
    text: String!
    state: String!
    attempts: Int!
    queuedAt: Datetime!
    sentAt: Datetime
    deliveredAt: Datetime
    failedAt: Datetime
    nextAttemptAt: Datetime
    provider: String!
    providerAnswer: String!
  }

  """Why an alarm opened, and who was notified."""
  type AlarmExplanation {
    alarmUuid: UUID!
    message: String!
    because: String!
    sentence: String!
    criteria: AlarmCriteria!
    """Device time at which the alarm condition began."""
    pendingSince: Datetime
    openedAt: Datetime!
    """Server time at which the alarm was opened."""
    recordedAt: Datetime!
    value: Float
    unit: String!
    occurrences: Int!
    lastOccurredAt: Datetime
    samples: [AlarmSample!]!
    transitions: [RecordedTransition!]!
    """The stages that can suppress a message, in order."""
    stages: [AlarmStage!]!
    recipients: [AlarmRecipient!]!
    """Reasons why expected recipients are missing."""
    notes: [String!]!
    mustAcknowledge: Boolean!
    escalation: AlarmEscalation
    messages: [AlarmMessage!]!
    timeline: [AlarmTimelineEntry!]!
  }

  """An alarm that a rule would have opened."""
  type SimulatedAlarm {
    """Time at which the value went outside the limits."""
    since: Datetime!
    openedAt: Datetime!
    """Null if it is still open at the end of the range."""
    resolvedAt: Datetime
    """The value farthest outside the limits."""
    peak: Float!
  }

  """A version of a rule in the time range, with its result for the readings of that period."""
  type RuleVersionResult {
    version: Int!
    from: Datetime!
    to: Datetime!
    enabled: Boolean!
    changedBy: String!
    valueLower: Float
    valueUpper: Float
    clearLower: Float
    clearUpper: Float
    """In seconds."""
    debounce: Int!
    words: String
    because: String!
    sentence: String!
    """Number of evaluated readings: 0 while the rule was disabled."""
    readings: Int!
    """Readings that arrived after newer ones. They do not change alarms."""
    lateReadings: Int!
    """The first alarms it would have opened."""
    wouldHaveOpened: [SimulatedAlarm!]!
  }

  type RuleAlarm {
    alarmUuid: UUID!
    message: String!
    openedAt: Datetime!
    resolvedAt: Datetime
    """The person who resolved it; null if it resolved itself."""
    resolvedName: String
  }

  """Why a rule did or did not open an alarm in a time range."""
  type RuleExplanation {
    """limits, digital or conditions."""
    kind: String!
    ruleName: String!
    deleted: Boolean!
    """
    opened, already-open, would-have-opened, too-short, never-out, no-readings, only-late-readings, disabled, not-made-yet,
    sensor-disabled, sensor-in-maintenance or maintenance.
    """
    because: String!
    sentence: String!
    from: Datetime!
    """The requested end, or the current time if that is earlier."""
    to: Datetime!
    """Total number of readings that the versions evaluated."""
    readings: Int!
    lateReadings: Int!
    versions: [RuleVersionResult!]!
    """The first 500."""
    transitions: [RecordedTransition!]!
    transitionCount: Int!
    alarms: [RuleAlarm!]!
  }

  """A new or changed rule, and the range of past readings to try it on."""
  input SimulateRuleInput {
    datapointUuid: UUID!
    valueLower: Float
    valueUpper: Float
    clearLower: Float
    clearUpper: Float
    """In seconds."""
    debounce: Int = 0
    """
    Name of the rule whose rule alert at the site names the recipients, and whose past alarms are compared. Default: the
    name of the stored rule. An empty text means no name.
    """
    ruleName: String
    """The stored rule whose past alarms are compared, even if the draft has another name."""
    ruleUuid: UUID
    from: Datetime!
    to: Datetime!
  }

  """An acknowledged past alarm that the draft would not have opened."""
  type MissedAlarm {
    alarmUuid: UUID!
    message: String!
    ruleName: String!
    openedAt: Datetime!
    resolvedAt: Datetime
    reason: String!
  }

  type RuleSimulation {
    from: Datetime!
    """The requested end, or the current time if that is earlier."""
    to: Datetime!
    readings: Int!
    lateReadings: Int!
    alarmCount: Int!
    alarmsPerDay: Float!
    """Number of alarms that opened within ten minutes after the previous alarm was resolved."""
    chattering: Int!
    messages: Int!
    """Notes about messages that the count does not include."""
    notes: [String!]!
    """The first alarms: 100 by default, at most 500."""
    alarms(first: Int): [SimulatedAlarm!]!
    missedCount: Int!
    """The first 100."""
    missed: [MissedAlarm!]!
  }

  extend type Query {
    """Why an alarm opened. Null if it does not exist or you may not see it."""
    explainAlarm(uuid: UUID!): AlarmExplanation
    """
    Why a rule did or did not open an alarm in a range of at most 400 days. The uuid is that of a rule with limits, of a
    multi-condition rule, or of the data point of a digital channel.
    """
    explainRule(ruleUuid: UUID!, from: Datetime!, to: Datetime!): RuleExplanation
    """
    Alarms that a rule would have opened in a range of at most 400 days and 2 million readings. Uses the state machine that
    evaluates live readings. Readings of the day before, or of twice the debounce if longer, determine the initial state.
    """
    simulateRule(input: SimulateRuleInput!): RuleSimulation
  }
`;
