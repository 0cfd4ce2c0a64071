/**
 * Error messages for fields that both a form and the server check. An SQL function raises the key with the prefix @,
 * and server/graphql/errors.ts replaces the key with the sentence.
 */
export const fieldSentences = {
  'customer-email': 'Enter a valid e-mail address, such as office@company.com, or leave it empty.',
  currency: 'Enter a three-letter currency code, such as EUR.',
  'customer-phone': 'Enter the number with its country code, such as +49 30 1234567, or leave the field empty.',
  'user-email': 'Enter an e-mail address, such as name@company.com.',
  'user-phone': 'Enter the number with its country code, such as +49 151 23456789. SMS and WhatsApp need it.',
  'user-phone-missing': 'SMS and WhatsApp need a phone number.',
  'site-phone': 'Enter a valid phone number, such as +44 7700 900113, or leave it empty.',
  'health-duration': 'Enter a whole number of hours from 1 to 168.',
  'shelve-hours': 'Enter a whole number of hours from 1 to 8,760 (one year).',
  'target-day-alarms': 'Enter a whole number from 1 to 10,000.',
  'target-period-alarms': 'Enter a whole number from 1 to 1,000.',
  'target-order': 'Enter a number that is not below the acceptable maximum.',
  'target-flood-end': 'Enter a whole number from 1 to 10.',
  'target-stale': 'Enter a whole number from 0 to 10,000.',
  'target-share': 'Enter a whole percentage from 0 to 100.',
  'target-share-sum': 'Major and critical together cannot exceed 100 %. Enter a smaller share.',
  'shelve-reason': 'Choose or enter a reason.',
  'shelve-past': 'The end is in the past. Choose a later time.',
  'assignee-missing': 'Choose an active person who is allowed to see this alarm.',
  'sms-budget': 'Enter a whole number of segments from 1 to 1,000,000, or leave the field empty.',
  'sms-budget-order': 'Enter a number that is at most the monthly budget.',
  'sms-budget-level': 'Choose level 5. Only groups of this level have an SMS budget.',
  'escalation-minutes': 'Enter a whole number of minutes from 1 to 10,080 (one week).',
  'recipients-missing': 'Add the people to notify.',
  'recipient-missing': 'Choose whom to notify.',
  'command-missing': 'Enter the command to queue.',
  'command-text-missing': 'Enter the command in the device’s own syntax.',
  'name-missing': 'Enter a name.',
  'line-breaks': 'Remove the line breaks. This field allows only one line.',
  'destination-url-missing': 'Enter the URL of the destination.',
  'note-missing': 'Enter a note.',
  'advice-note': 'Enter why you do not want this advice.',
  'user-level': 'Enter a level: a whole number from 0 to 1000.',
  'language-tag': 'Enter a language tag such as en-GB or de-CH, or leave it empty.',
  'range-order': 'The range must end after it starts.',
  'report-range': 'A report covers at most ten years. Choose a later start.',
  'alarm-link-invalid': 'This link is not valid for this alarm. Open the alarm from the list instead.',
  'nothing-changed': 'Nothing was changed, because the request contains no new value.',
  'reason-repeated': 'The rule already has this reason. Enter another one.',
} as const;

export type FieldSentence = keyof typeof fieldSentences;

/** Replaces a key that SQL raised with its sentence. Returns other messages unchanged. */
export function sentenceOf(message: string): string {
  return message.startsWith('@') ? (fieldSentences[message.slice(1) as FieldSentence] ?? message) : message;
}
