import { fieldSentences } from '../../../domain/field-sentences.ts';
import { isSimNumber } from '../../../domain/notification/phone-number.ts';
import { currentValues } from '../../kit/format/current-values.ts';
import { counted } from '../../kit/format/number.ts';
import { rowsOf } from '../../kit/list/list.ts';
import { linkChanges } from '../../kit/record/links.ts';
import type { Option } from '../../kit/record/Picker.tsx';
import type { Seen } from '../../kit/record/useRecordForm.ts';
import { wordsOfLevel } from '../../kit/session/group-words.ts';
import { causeOptions } from '../dependency/index.ts';
import type { SiteFields, SiteInput, SiteRecord } from './site-record.queries.ts';

/** Form values of a site. The field names match the API, so that an error from the server appears at its field. */
export type SiteValues = {
  name: string;
  siteId: string;
  siteType: string;
  siteCategory: string;
  tocsinGroup2Uuid: Option | null;
  tocsinGroup3Uuid: Option | null;
  tocsinGroup4Uuid: Option | null;
  tocsinGroup5Uuid: Option | null;
  address: string;
  location: string;
  phoneNumber: string;
  gsmProvider: string;
  /** Number of hours as the user typed it, which may be invalid. */
  tocsinHealthDurationHours: string;
  description: string;
  users: Option[];
  reasons: Option[];
  causes: Option[];
};

export const siteLabels: Readonly<Record<keyof SiteValues, string>> = {
  name: 'Name',
  siteId: 'Site ID',
  siteType: 'Type',
  siteCategory: 'Category',
  get tocsinGroup2Uuid() {
    return wordsOfLevel(2).title;
  },
  get tocsinGroup3Uuid() {
    return wordsOfLevel(3).title;
  },
  get tocsinGroup4Uuid() {
    return wordsOfLevel(4).title;
  },
  get tocsinGroup5Uuid() {
    const { title, isUsual } = wordsOfLevel(5);
    return isUsual ? `${title} (level 5)` : title;
  },
  address: 'Address',
  location: 'Location',
  phoneNumber: 'Phone number (SIM)',
  gsmProvider: 'GSM provider',
  tocsinHealthDurationHours: 'Silent after',
  description: 'Description',
  users: 'Users',
  reasons: 'Reasons',
  causes: 'Depends on',
};

export const emptySite: Seen<SiteValues> = {
  mark: undefined,
  values: {
    name: '',
    siteId: '',
    siteType: '',
    siteCategory: '',
    tocsinGroup2Uuid: null,
    tocsinGroup3Uuid: null,
    tocsinGroup4Uuid: null,
    tocsinGroup5Uuid: null,
    address: '',
    location: '',
    phoneNumber: '',
    gsmProvider: '',
    tocsinHealthDurationHours: '24',
    description: '',
    users: [],
    reasons: [],
    causes: [],
  },
};

export function seenSite(site: SiteRecord): Seen<SiteValues> {
  return {
    mark: site.lastUpdated,
    values: {
      name: site.name,
      siteId: site.siteId,
      siteType: site.siteType,
      siteCategory: site.siteCategory,
      tocsinGroup2Uuid: groupOption(site.group2),
      tocsinGroup3Uuid: groupOption(site.group3),
      tocsinGroup4Uuid: groupOption(site.group4),
      tocsinGroup5Uuid: groupOption(site.group5),
      address: site.address,
      location: site.location,
      phoneNumber: site.phoneNumber,
      gsmProvider: site.gsmProvider,
      tocsinHealthDurationHours: String(site.tocsinHealthDurationHours),
      description: site.description,
      // Excludes linked users whom the signed-in user is not allowed to see. Saving keeps their links.
      users: rowsOf(site.siteUsers)
        .flatMap(({ tocsinUserUuid, user }) => (user ? [{ value: tocsinUserUuid, label: user.displayName }] : []))
        .sort((one, other) => one.label.localeCompare(other.label)),
      reasons: rowsOf(site.siteReasons)
        .flatMap(({ tocsinReasonUuid, reason }) => (reason ? [{ value: tocsinReasonUuid, label: reason.reason }] : []))
        .sort((one, other) => one.label.localeCompare(other.label)),
      causes: causeOptions(rowsOf(site.causes)),
    },
  };
}

function groupOption(group: { uuid: string; name: string } | null): Option | null {
  return group && { value: group.uuid, label: group.name };
}

export type SiteErrors = Partial<Record<keyof SiteValues, string>>;

const LONGEST_ID = 64;
export const LONG_ID = `Too long. Use at most ${LONGEST_ID} characters.`;

/**
 * Returns true if the ID is too long. The field does not truncate the ID, because a shortened ID would identify another
 * site.
 */
export function isLongId(siteId: string): boolean {
  return siteId.trim().length > LONGEST_ID;
}

/** Validates the form's values. The server validates them again. */
export function siteErrors(values: SiteValues): SiteErrors {
  const errors: SiteErrors = {};
  if (values.name.trim() === '') errors.name = fieldSentences['name-missing'];
  if (values.siteId.trim() === '') errors.siteId = 'Enter an ID, such as PS-0070.';
  else if (isLongId(values.siteId)) errors.siteId = LONG_ID;
  if (!isLocation(values.location))
    errors.location = 'Enter a latitude from −90 to 90 and a longitude from −180 to 180, such as 54.6712, −2.8719.';
  if (values.phoneNumber.trim() !== '' && !isSimNumber(values.phoneNumber))
    errors.phoneNumber = fieldSentences['site-phone'];
  if (hoursOf(values.tocsinHealthDurationHours) === null)
    errors.tocsinHealthDurationHours = fieldSentences['health-duration'];
  return errors;
}

/**
 * Pattern of coordinates. It accepts a hyphen, a minus sign or an en dash, because the console shows a minus sign,
 * which users may copy.
 */
const coordinates = /^[-+\u2212\u2013]?(\d+(?:\.\d+)?)°?[,;\s]\s*[-+\u2212\u2013]?(\d+(?:\.\d+)?)°?$/;

/**
 * Returns true if the text is a valid location. A location is free text, but if it consists of two numbers, they must
 * be valid coordinates.
 */
function isLocation(text: string): boolean {
  const [, latitude, longitude] = coordinates.exec(text.trim()) ?? [];
  return latitude === undefined || (Number(latitude) <= 90 && Number(longitude) <= 180);
}

/** Parses a whole number of hours, from one hour to one week. Returns null if the text is invalid. */
export function hoursOf(text: string): number | null {
  const hours = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return hours >= 1 && hours <= 168 ? hours : null;
}

/** Lists the current health durations, most frequent first: `Current values: 24 hours (12×), 2 hours (3×).` */
export function currentDurations(sites: readonly { tocsinHealthDurationHours: number }[]): string {
  const hours = sites.map((site) => site.tocsinHealthDurationHours).sort((one, other) => one - other);
  return currentValues(hours.map((count) => counted(count, 'hour')));
}

/** Returns the input for the API: the fields of the site, and the links that the user added or removed in the form. */
export function siteInput(
  before: SiteValues,
  values: SiteValues,
  uuid: string | undefined,
  mark: string | undefined,
): SiteInput {
  const users = linkChanges(before.users, values.users);
  const reasons = linkChanges(before.reasons, values.reasons);
  const causes = linkChanges(before.causes, values.causes);
  return {
    ...(uuid !== undefined && { uuid }),
    ...(mark !== undefined && { seen: mark }),
    site: {
      ...siteFields(values),
      // Sends null to keep the stored provider, because a device may have reported a new one since the form was opened.
      gsmProvider: values.gsmProvider === before.gsmProvider ? null : values.gsmProvider.trim(),
    },
    linkUsers: users.link,
    unlinkUsers: users.unlink,
    linkReasons: reasons.link,
    unlinkReasons: reasons.unlink,
    // Sends null to keep unchanged causes, because a partner account is not allowed to change causes.
    causes: causes.link.length + causes.unlink.length === 0 ? null : values.causes.map(({ value }) => value),
  };
}

export function siteFields(values: SiteValues): SiteFields {
  return {
    name: values.name.trim(),
    siteId: values.siteId.trim(),
    siteType: values.siteType.trim(),
    siteCategory: values.siteCategory.trim(),
    tocsinGroup2Uuid: values.tocsinGroup2Uuid?.value ?? null,
    tocsinGroup3Uuid: values.tocsinGroup3Uuid?.value ?? null,
    tocsinGroup4Uuid: values.tocsinGroup4Uuid?.value ?? null,
    tocsinGroup5Uuid: values.tocsinGroup5Uuid?.value ?? null,
    address: values.address.trim(),
    location: values.location.trim(),
    phoneNumber: values.phoneNumber.trim(),
    gsmProvider: values.gsmProvider.trim(),
    tocsinHealthDurationHours: hoursOf(values.tocsinHealthDurationHours),
    description: values.description.trim(),
  };
}
