import { gql } from 'postgraphile/utils';

/** Reasons, phases and stages are words such as `too-short`, beside a sentence for a person that says the same. */
export const evaluationTypes = gql`
  """A change of a rule's state, as it was recorded."""
  type JudgedTransition {
    at: Datetime!
    """When the server found it out."""
    noticedAt: Datetime!
    """normal, pending, open or clearing."""
    from: String!
    to: String!
    because: String!
    value: Float
    version: Int!
    alarmUuid: UUID
  }

  """What an alarm was judged by, as it was when the alarm opened."""
  type AlarmJudgedBy {
    """limits, digital, conditions, silence or person."""
    kind: String!
    ruleUuid: UUID
    ruleName: String!
    version: Int
    """The version the rule has now; null where it is gone."""
    versionNow: Int
    valueLower: Float
    valueUpper: Float
    clearLower: Float
    clearUpper: Float
    """In seconds."""
    debounce: Int
    """low or high: which state of a digital channel is its alarm."""
    alarmState: String
    """The conditions in words."""
    words: String
    ruleJson: String
    """After how many hours without a frame a site is silent."""
    silentHours: Int
  }

  type AlarmSample {
    at: Datetime!
    value: Float!
    """Whether this value is an alarm by the limits; null where one value cannot tell."""
    out: Boolean
  }

  """A stage every message passes before it is queued, and what it held back."""
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

  type AlarmRecipientWay {
    """1 e-mail, 2 WhatsApp, 3 SMS, 4 app push."""
    methodType: Int!
    address: String!
  }

  type AlarmRecipientNotTold {
    methodType: Int
    because: String!
    sentence: String!
  }

  """A person as they could be reached when the alarm opened."""
  type AlarmRecipient {
    userUuid: UUID!
    name: String!
    """when-it-opens, when-nobody-acknowledges or when-it-resolves; whomever it was escalated to has the last as well."""
    told: String!
    ways: [AlarmRecipientWay!]!
    notTold: [AlarmRecipientNotTold!]!
  }

  type AlarmEscalation {
    afterMinutes: Int!
    everyMinutes: Int!
    times: Int!
    people: Int!
    """How many have been done so far."""
    step: Int!
    nextAt: Datetime
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

  """Why an alarm fired, and whom it reached."""
  type AlarmExplanation {
    alarmUuid: UUID!
    message: String!
    because: String!
    sentence: String!
    judgedBy: AlarmJudgedBy!
    """Since when the value was out, by the device's clock."""
    pendingSince: Datetime
    openedAt: Datetime!
    """When the server opened it, by its own clock."""
    recordedAt: Datetime!
    value: Float
    unit: String!
    occurrences: Int!
    lastOccurredAt: Datetime
    samples: [AlarmSample!]!
    transitions: [JudgedTransition!]!
    """Everything that could have kept a message back."""
    stages: [AlarmStage!]!
    recipients: [AlarmRecipient!]!
    """Why somebody one would expect was not told."""
    notes: [String!]!
    mustAcknowledge: Boolean!
    escalation: AlarmEscalation
    messages: [AlarmMessage!]!
    timeline: [AlarmTimelineEntry!]!
  }

  """An alarm that a rule would have opened."""
  type SimulatedAlarm {
    """When the value went out."""
    since: Datetime!
    openedAt: Datetime!
    """Null where it is open at the end of the range."""
    resolvedAt: Datetime
    """The value farthest out."""
    peak: Float!
  }

  """A state a rule had in a range of time, and what it had to say to the readings of that time."""
  type RuleVersionVerdict {
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
    """Readings it judged: none while the rule was disabled."""
    readings: Int!
    """Readings that arrived after newer ones, and so changed no alarm."""
    lateReadings: Int!
    """What it would have opened by itself, the first of them."""
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

  """Why a rule did or did not fire in a range of time."""
  type RuleExplanation {
    """limits, digital or conditions."""
    kind: String!
    ruleName: String!
    deleted: Boolean!
    """
    opened, already-open, would-have-opened, too-short, never-out, no-readings, only-late-readings, disabled, not-made-yet,
    sensor-disabled or sensor-in-maintenance.
    """
    because: String!
    sentence: String!
    from: Datetime!
    """Not after now."""
    to: Datetime!
    """Readings that were judged, by all versions together."""
    readings: Int!
    lateReadings: Int!
    versions: [RuleVersionVerdict!]!
    """The first 500."""
    transitions: [JudgedTransition!]!
    transitionCount: Int!
    alarms: [RuleAlarm!]!
  }

  """A rule that is not there yet, or about to be changed, and the past to try it on."""
  input SimulateRuleInput {
    datapointUuid: UUID!
    valueLower: Float
    valueUpper: Float
    clearLower: Float
    clearUpper: Float
    """In seconds."""
    debounce: Int = 0
    """
    Whose rule alert at the site says who would have been told, and whose past alarms are looked at. Without it the name of
    the stored rule; an empty one is no name.
    """
    ruleName: String
    """The stored rule whose past alarms are looked at instead, whatever it is called: a draft may have another name."""
    ruleUuid: UUID
    from: Datetime!
    to: Datetime!
  }

  """A past alarm that somebody acknowledged, and that the draft would not have opened."""
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
    """Not after now."""
    to: Datetime!
    readings: Int!
    lateReadings: Int!
    alarmCount: Int!
    alarmsPerDay: Float!
    """How many opened within ten minutes after the one before was resolved."""
    chattering: Int!
    messages: Int!
    """What the number of messages leaves out."""
    notes: [String!]!
    """The first so many, 100 where nothing is said, at most 500."""
    alarms(first: Int): [SimulatedAlarm!]!
    missedCount: Int!
    """The first 100."""
    missed: [MissedAlarm!]!
  }

  extend type Query {
    """Why an alarm fired. Null where there is none, or one that you may not see."""
    explainAlarm(uuid: UUID!): AlarmExplanation
    """
    Why a rule did or did not fire in a range of at most 400 days. The rule is one with limits, one of conditions, or the
    datapoint of a digital channel.
    """
    explainRule(ruleUuid: UUID!, from: Datetime!, to: Datetime!): RuleExplanation
    """
    What a rule would have done with the readings of a range of at most 400 days and 2 million readings, by the machine that
    judges live ones. Readings from before the range, of a day or twice the debounce, say in which state it begins.
    """
    simulateRule(input: SimulateRuleInput!): RuleSimulation
  }
`;
