const signIn = 'WhatsApp refused the access token. The administrator must create a new one.';
export const permission =
  'The access token is not allowed to send from this number. The administrator must check the token and the phone number ID.';
const number =
  'WhatsApp cannot send from this number. The administrator must check the phone number ID and the number in WhatsApp Manager.';
const template = 'WhatsApp refused the template. Check TOCSIN_WHATSAPP_TEMPLATE and TOCSIN_WHATSAPP_LANGUAGE.';
const account = 'WhatsApp has restricted the business account. Check WhatsApp Manager.';

const ONLY_TEMPLATES = 131047;

/** Permanent errors, caused by the message or the recipient. Messages with these errors are not retried. */
const permanent: Readonly<Record<number, string>> = {
  130472: 'WhatsApp does not deliver messages of this kind to this person.',
  130497: "WhatsApp does not allow this business to message people in this person's country.",
  131021: 'The person has the same number as the sender.',
  131026:
    'WhatsApp cannot deliver to this number. The person might not use WhatsApp, might use an old version, or might not have accepted its terms.',
  131030: 'The WhatsApp sender is a test number. It can send only to numbers on its list.',
  [ONLY_TEMPLATES]: 'This person has not written to the sender for 24 hours, so WhatsApp accepts only templates.',
  131050: 'This person does not want messages of this kind.',
  131051: 'WhatsApp does not accept this kind of message.',
  132005: 'WhatsApp reports that the message is too long for the template.',
  132007: 'WhatsApp reports that the message violates the rules for templates.',
};

/** Errors that an administrator can fix. Messages with these errors are retried. */
export const fixable: Readonly<Record<number, string>> = {
  0: signIn,
  3: permission,
  10: permission,
  33: number,
  190: signIn,
  368: account,
  131005: permission,
  131031: account,
  131037: number,
  131042: 'WhatsApp requires a payment method. Check the business account.',
  131045: number,
  132000: template,
  132001: template,
  132012: template,
  132015: template,
  132016: template,
  133010: number,
};

/** Codes of temporary errors, regardless of the HTTP status. */
export const temporary = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131049, 131056, 131057, 133004]);

/**
 * Returns why a message with this error code can never be delivered; undefined for other codes. If no template is
 * configured, the reason recommends one.
 */
export function explainPermanent(code: number, template: string | undefined): string | undefined {
  const advice = code === ONLY_TEMPLATES && template === undefined ? ' Set TOCSIN_WHATSAPP_TEMPLATE.' : '';
  return permanent[code] && `${permanent[code]}${advice}`;
}

/** Returns a sentence that explains an error code of WhatsApp; undefined for an unknown code. */
export function explainWhatsAppCode(code: number, template: string | undefined): string | undefined {
  return explainPermanent(code, template) ?? fixable[code];
}
