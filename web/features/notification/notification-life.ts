/** A notification with its state and attempts, as the server stores it. */
export interface Message {
  methodType: number;
  kind: string;
  step: number;
  shownState: string | null;
  attempts: number;
  notifyTime: string;
  nextAttemptAt: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  failedAt: string | null;
  providerAnswer: string;
  attemptLog: unknown;
}

/** Methods with delivery receipts: WhatsApp (2) and SMS (3). E-mail and push services send no receipts. */
const methodsWithReceipts = new Set([2, 3]);

/** Returns the purpose of a message; empty for the first notification of an alarm. */
export function purposeOf({ kind, step }: Pick<Message, 'kind' | 'step'>): string {
  switch (kind) {
    case 'escalation':
      return `escalation ${step}`;
    case 'resolve':
      return 'resolution';
    case 'action':
      return 'by an action';
    case 'reminder':
      return 'still open after shelving';
    case 'digest':
      return 'digest';
    case 'confirmation':
      return 'confirmation of an answer';
    default:
      return '';
  }
}

/** Returns the state of a message as text to show after the recipient's name: `delivered after 7 s`. */
export function deliveryText(message: Message, formatAge: (milliseconds: number) => string): string {
  const after = (at: string | null) =>
    at === null ? '' : ` after ${formatAge(Date.parse(at) - Date.parse(message.notifyTime))}`;
  const times = message.attempts > 1 ? ` ${message.attempts} times` : '';
  switch (message.shownState) {
    case 'delivered':
      return `delivered${after(message.deliveredAt)}`;
    case 'failed':
      return `failed${times}${message.providerAnswer ? `, ${message.providerAnswer}` : ''}`;
    case 'sent':
      return `sent${after(message.sentAt)}${methodsWithReceipts.has(message.methodType) ? ', not confirmed yet' : ''}`;
    case 'kept':
      return 'not sent, no sender is set up';
    default:
      return message.attempts === 0 ? 'waiting to be sent' : `not sent yet, tried${times || ' once'}`;
  }
}

export interface LifeStep {
  at: string;
  words: string;
  /** The provider's response, or the reason why the provider could not be reached. */
  answer: string;
}

const outcomes: Record<string, string> = {
  sent: 'Sent to provider',
  delivered: 'Delivered',
  retry: 'Could not be sent',
  'give-up': 'Failed',
  failed: 'Not delivered',
};

/** Shown for a message in the outbox. The text mentions owners, because only they can open the outbox. */
const KEPT = 'No sender is set up. An owner can find the message in the outbox.';

/** Returns all delivery steps of a message, oldest first. If another attempt is planned, it comes last. */
export function lifeOf(message: Message): LifeStep[] {
  const isKept = message.shownState === 'kept';
  const words = isKept ? { ...outcomes, sent: 'Not sent' } : outcomes;
  const attempts = Array.isArray(message.attemptLog)
    ? message.attemptLog.flatMap((entry) => attemptOf(entry, words))
    : [];
  const steps: LifeStep[] = [{ at: message.notifyTime, words: 'Queued', answer: '' }, ...attempts];
  if (attempts.length === 0) {
    // If a message has no attempt log, only the time of its last attempt is known.
    const { sentAt, failedAt, providerAnswer: answer } = message;
    if (sentAt !== null) steps.push({ at: sentAt, words: words.sent ?? '', answer });
    if (failedAt !== null) steps.push({ at: failedAt, words: 'Failed', answer });
  }
  if (message.deliveredAt !== null && attempts.every(({ words }) => words !== 'Delivered')) {
    steps.push({ at: message.deliveredAt, words: 'Delivered', answer: '' });
  }
  if (message.shownState === 'queued' && message.nextAttemptAt !== null && message.attempts > 0) {
    steps.push({ at: message.nextAttemptAt, words: 'Next attempt', answer: '' });
  }
  return isKept ? steps.map((step) => (step.words === words.sent ? { ...step, answer: KEPT } : step)) : steps;
}

function attemptOf(entry: unknown, words: typeof outcomes): LifeStep[] {
  if (typeof entry !== 'object' || entry === null) {
    return [];
  }
  const { at, outcome, answer } = entry as Record<string, unknown>;
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) {
    return [];
  }
  return [{ at, words: words[String(outcome)] ?? 'Tried', answer: typeof answer === 'string' ? answer : '' }];
}
