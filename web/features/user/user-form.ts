import { fieldSentences } from '../../../domain/field-sentences.ts';
import { readPhoneNumber } from '../../../domain/notification/phone-number.ts';
import { type Actor, roleOf } from '../../../domain/permission.ts';
import { rowsOf } from '../../kit/list/list.ts';
import { linkChanges } from '../../kit/record/links.ts';
import type { Option } from '../../kit/record/Picker.tsx';
import type { Seen } from '../../kit/record/useRecordForm.ts';
import type { UserFields, UserInput, UserRecord } from './user-record.queries.ts';
import { levelWords } from './user-words.ts';

/** A user's form values. The field names match the API, so that an error from the server appears at its field. */
export type UserValues = {
  displayName: string;
  username: string;
  email: string;
  phoneNumber: string;
  level: string;
  tocsinPartnerAccount: boolean;
  status: boolean;
  emailNotification: boolean;
  smsNotification: boolean;
  whatsappNotification: boolean;
  appsNotification: boolean;
  sites: Option[];
  /** Uuid of the person who replaces the disabled user in all rule alerts and actions; null for no replacement. */
  replacement: string | null;
};

export const userLabels: Readonly<Record<keyof UserValues, string>> = {
  displayName: 'Name',
  username: 'User name',
  email: 'E-mail',
  phoneNumber: 'Phone number',
  level: 'Level',
  tocsinPartnerAccount: 'Partner account',
  status: 'Enabled',
  emailNotification: 'E-mail',
  smsNotification: 'SMS',
  whatsappNotification: 'WhatsApp',
  appsNotification: 'App push',
  sites: 'Sites',
  replacement: 'Replace with',
};

const OPERATOR = 20;

export const emptyUser: Seen<UserValues> = {
  mark: undefined,
  values: {
    displayName: '',
    username: '',
    email: '',
    phoneNumber: '',
    level: String(OPERATOR),
    tocsinPartnerAccount: false,
    status: true,
    emailNotification: true,
    smsNotification: false,
    whatsappNotification: false,
    appsNotification: false,
    sites: [],
    replacement: null,
  },
};

export function seenUser(user: UserRecord): Seen<UserValues> {
  return {
    mark: user.updatedAt,
    values: {
      displayName: user.displayName,
      username: user.username,
      email: user.email,
      phoneNumber: user.phoneNumber,
      level: String(user.level),
      tocsinPartnerAccount: user.tocsinPartnerAccount,
      status: user.status,
      emailNotification: user.emailNotification,
      smsNotification: user.smsNotification,
      whatsappNotification: user.whatsappNotification,
      appsNotification: user.appsNotification,
      sites: rowsOf(user.siteUsers)
        .flatMap(({ site }) => (site ? [{ value: site.uuid, label: `${site.name}, ${site.siteId}` }] : []))
        .sort((one, other) => one.label.localeCompare(other.label)),
      replacement: null,
    },
  };
}

export type UserErrors = Partial<Record<keyof UserValues, string>>;

/** Validates the form's values. The server validates them again. */
export function userErrors(values: UserValues): UserErrors {
  const errors: UserErrors = {};
  if (values.displayName.trim() === '') errors.displayName = fieldSentences['name-missing'];
  if (values.username.trim() === '') errors.username = 'Enter a user name.';
  if (!/^[^@\s]+@[^@\s]+$/.test(values.email.trim()))
    errors.email = `${fieldSentences['user-email']} The invitation is sent to this address.`;
  if (values.phoneNumber.trim() === '') {
    if (values.smsNotification || values.whatsappNotification)
      errors.phoneNumber = fieldSentences['user-phone-missing'];
  } else if (readPhoneNumber(values.phoneNumber.trim()) === undefined)
    errors.phoneNumber = fieldSentences['user-phone'];
  return errors;
}

/**
 * Returns the user name after the e-mail address has changed. If the user name is empty or equal to the previous
 * address, it becomes the new address.
 */
export function usernameFor(username: string, emailBefore: string, email: string): string {
  return username.trim() === '' || username === emailBefore ? email : username;
}

/** Returns the input for the API: the user, and the sites that were linked and unlinked since the form was loaded. */
export function userInput(
  before: UserValues,
  values: UserValues,
  uuid: string | undefined,
  mark: string | undefined,
): UserInput {
  const sites = linkChanges(before.sites, values.sites);
  return {
    ...(uuid !== undefined && { uuid }),
    ...(mark !== undefined && { seen: mark }),
    user: userFields(values),
    linkSites: sites.link,
    unlinkSites: sites.unlink,
    ...(before.status && !values.status && values.replacement !== null && { replacement: values.replacement }),
  };
}

export function userFields(values: UserValues): UserFields {
  const { sites: _, replacement: __, ...rest } = values;
  return {
    ...rest,
    displayName: values.displayName.trim(),
    username: values.username.trim(),
    email: values.email.trim(),
    phoneNumber: values.phoneNumber.trim(),
    level: Number(values.level),
  };
}

const MANAGERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const OPERATORS = [10, 11, 12, 13, 14, 15, 20, 25, 30, 40, 50, 100];

/**
 * Returns the levels that `granter` may assign: numbers above the granter's own level, and the current level of the
 * edited user.
 */
export function grantableLevels(granter: Actor, has: number | null): { value: string; label: string }[] {
  const levels = [...MANAGERS, ...OPERATORS].filter((level) => level > granter.level);
  if (has !== null && !levels.includes(has)) levels.push(has);
  return levels
    .sort((one, other) => one - other)
    .map((level) => ({ value: String(level), label: levelWords({ level, tocsinPartnerAccount: false }) }));
}

/** Returns true if the user is allowed to add partner accounts. Only owners are. */
export function mayMakeServiceAccounts(granter: Actor): boolean {
  return roleOf(granter) === 'owner';
}
