import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { can } from '../../../domain/permission.ts';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import type { RecordForm } from '../../kit/record/useRecordForm.ts';
import { useActor } from '../../kit/session/actor.ts';
import { CauseList } from '../dependency/index.ts';
import { GroupPicker } from '../group/index.ts';
import { siteCategoriesQuery, siteTypesQuery } from './site.queries.ts';
import { type SiteValues, siteLabels } from './site-form.ts';

interface SiteDetailsProps {
  form: RecordForm<SiteValues>['form'];
  /** Uuid of the site; undefined for a new site. */
  siteUuid: string | undefined;
}

/** Fields for a site's name, type, groups, location, contact and causes. */
export function SiteDetails({ form, siteUuid }: SiteDetailsProps) {
  const mayDepend = can(useActor(), 'dependency.create');
  const types = useQuery(siteTypesQuery).data ?? [];
  const categories = useQuery(siteCategoriesQuery).data ?? [];
  const group = (level: 2 | 3 | 4 | 5) => {
    const path = `tocsinGroup${level}Uuid` as const;
    return (
      <GroupPicker
        level={level}
        label={siteLabels[path]}
        value={form.values[path]}
        onChange={(next: Option | null) => form.setFieldValue(path, next)}
        error={form.errors[path]}
        path={path}
      />
    );
  };
  return (
    <>
      <TextInput label={siteLabels.name} maxLength={200} {...form.getInputProps('name')} />
      <TextInput label={siteLabels.siteId} {...form.getInputProps('siteId')} />
      <FieldPair>
        <Autocomplete label={siteLabels.siteType} data={types} maxLength={100} {...form.getInputProps('siteType')} />
        <Autocomplete
          label={siteLabels.siteCategory}
          data={categories}
          maxLength={100}
          {...form.getInputProps('siteCategory')}
        />
      </FieldPair>
      <FieldPair>
        {group(2)}
        {group(3)}
      </FieldPair>
      <FieldPair>
        {group(4)}
        {group(5)}
      </FieldPair>
      <TextInput label={siteLabels.address} maxLength={500} {...form.getInputProps('address')} />
      <FieldPair>
        <TextInput
          label={siteLabels.location}
          description="Description or coordinates, such as “second gate behind the weir” or 54.6712, −2.8719."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          {...form.getInputProps('location')}
        />
        <TextInput
          label={siteLabels.phoneNumber}
          type="tel"
          maxLength={32}
          autoComplete="off"
          {...form.getInputProps('phoneNumber')}
        />
      </FieldPair>
      <FieldPair>
        <TextInput label={siteLabels.gsmProvider} maxLength={100} {...form.getInputProps('gsmProvider')} />
        <TextInput
          label={siteLabels.tocsinHealthDurationHours}
          inputMode="numeric"
          maxLength={3}
          rightSection="hours"
          rightSectionWidth={52}
          {...form.getInputProps('tocsinHealthDurationHours')}
        />
      </FieldPair>
      <Textarea
        label={siteLabels.description}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      {mayDepend ? (
        <CauseList
          self={siteUuid}
          siteUuid={siteUuid}
          value={form.values.causes}
          onChange={(next) => form.setFieldValue('causes', next)}
          dependent="this site"
          error={form.errors.causes}
        />
      ) : null}
    </>
  );
}
