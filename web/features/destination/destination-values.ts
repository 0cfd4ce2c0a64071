import type { DestinationKind } from '../../../domain/destination/event.ts';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import type { Option } from '../../kit/record/Picker.tsx';
import type { Seen } from '../../kit/record/useRecordForm.ts';
import type { DestinationInput, DestinationRecord } from './destination.queries.ts';

export type PlaceKind = 'site' | 'group';

/** The place and the URL have the names of the API's fields, at which the server reports errors. */
export type DestinationValues = {
  name: string;
  kind: DestinationKind;
  place: PlaceKind;
  tocsinSiteUuid: Option | null;
  tocsinGroupUuid: Option | null;
  url: string;
  status: boolean;
};

export const emptyDestination: Seen<DestinationValues> = {
  mark: undefined,
  values: {
    name: '',
    kind: 'webhook',
    place: 'group',
    tocsinSiteUuid: null,
    tocsinGroupUuid: null,
    url: '',
    status: true,
  },
};

export function seenDestination({
  name,
  kind,
  status,
  site,
  group,
  updatedAt,
}: DestinationRecord): Seen<DestinationValues> {
  const option = (one: { uuid: string; name: string } | null) => one && { value: one.uuid, label: one.name };
  return {
    mark: updatedAt,
    values: {
      ...{ name, kind: kind as DestinationKind, status, url: '', place: site ? 'site' : 'group' },
      ...{ tocsinSiteUuid: option(site), tocsinGroupUuid: option(group) },
    },
  };
}

export function destinationProblems(values: DestinationValues, isNew: boolean) {
  return {
    ...(values.name.trim() === '' && { name: fieldSentences['name-missing'] }),
    ...(values.place === 'site' && !values.tocsinSiteUuid && { tocsinSiteUuid: 'Choose a site.' }),
    ...(values.place === 'group' && !values.tocsinGroupUuid && { tocsinGroupUuid: 'Choose a group.' }),
    ...(isNew && values.url.trim() === '' && { url: fieldSentences['destination-url-missing'] }),
  };
}

export function destinationInput(values: DestinationValues, uuid?: string, mark?: string): DestinationInput {
  const { name, kind, place, tocsinSiteUuid: site, tocsinGroupUuid: group, status } = values;
  const url = values.url.trim();
  return {
    ...(uuid !== undefined && { uuid }),
    ...{ name: name.trim(), kind, status },
    ...(place === 'site' ? { tocsinSiteUuid: site?.value ?? '' } : { tocsinGroupUuid: group?.value ?? '' }),
    ...(url !== '' && { url }),
    ...(mark !== undefined && { updatedAt: mark }),
  };
}
