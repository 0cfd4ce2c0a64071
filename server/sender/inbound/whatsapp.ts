import { asObject } from '../read-object.ts';
import { inboundMessage } from './inbound.ts';
import type { InboundMessage } from './message.ts';

/**
 * Parses the messages in a webhook call of a Meta app. Ignores messages to other numbers of the app. A message without
 * text, such as a picture, has an empty text. A reaction or a system message is no answer.
 */
export function whatsAppMessages(value: Record<string, unknown>, phoneId: string): InboundMessage[] {
  if (asObject(value.metadata).phone_number_id !== phoneId) return [];
  const messages = Array.isArray(value.messages) ? value.messages : [];
  return messages.flatMap((entry) => {
    const { id, from, timestamp, type, text, button, context } = asObject(entry);
    if (type === 'reaction' || type === 'system' || type === 'unsupported') return [];
    const seconds = Number(timestamp);
    const message = inboundMessage({
      id,
      from,
      text: asObject(text).body ?? asObject(button).text,
      sentAt: Number.isSafeInteger(seconds) && seconds > 0 ? new Date(seconds * 1000) : undefined,
      quoted: asObject(context).id,
    });
    return message ? [message] : [];
  });
}
