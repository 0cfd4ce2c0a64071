import type { UseQueryOptions } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import type { IconType } from 'react-icons';
import { EmptyState } from '../../ui/Notice.tsx';
import { PageTitle } from '../../ui/Page.tsx';
import type { Columns } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { ExportButton, type ExportColumn } from '../list/ExportButton.tsx';
import type { ListPage } from '../list/list.ts';
import { NewButton } from '../list/NewButton.tsx';
import { useList } from '../list/useList.ts';
import { useSelection } from '../list/useSelection.ts';
import { NEW, useRecordAddress } from './useRecordAddress.ts';

interface RecordListProps<T extends object, Key extends readonly unknown[]> {
  /** The heading of the list, such as 'Rule alerts'. */
  title: string;
  /** Name of the downloaded file, without its extension. */
  file: string;
  defaults: ListDefaults;
  query: (view: ListView) => UseQueryOptions<ListPage<T>, Error, ListPage<T>, Key> & { queryKey: Key };
  columns: Columns<T>;
  exported: readonly ExportColumn<T>[];
  searchHint: string;
  /** Label of the button that adds a record; false hides it. */
  create: string | false;
  empty: { icon: IconType; title: string; words: string };
  /** Renders the actions on the selected records; false if the user is not allowed to use them. */
  bulk?: ((chosen: readonly T[], choose: (rows: readonly T[]) => void) => ReactNode) | false;
  /** The panel in which the user adds a record (`uuid` is null) or edits one. */
  form?: ComponentType<{ uuid: string | null; onClose: () => void }>;
  /** Content before the buttons of the heading. */
  choice?: ReactNode;
}

/** A list of records with its heading, download and form. */
export function RecordList<T extends { uuid: string }, Key extends readonly unknown[]>(props: RecordListProps<T, Key>) {
  const { title, query, bulk, empty, form: Form } = props;
  const client = useQueryClient();
  const [view, setView] = useListView(props.defaults);
  const list = useList(query(view));
  const { open, openRecord, close } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (row) => row.uuid);
  const create = props.create ? <NewButton onClick={() => openRecord(NEW)}>{props.create}</NewButton> : null;
  return (
    <>
      <PageTitle
        count={list.total}
        actions={
          <>
            {props.choice}
            <ExportButton
              name={props.file}
              view={view}
              fetch={(page) => client.fetchQuery(query(page))}
              columns={props.exported}
            />
            {create}
          </>
        }
      >
        {title}
      </PageTitle>
      <DataTable
        {...list}
        label={title}
        columns={props.columns}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        searchHint={props.searchHint}
        onOpen={(row) => openRecord(row.uuid)}
        openId={open}
        {...(bulk && { ...selection, bulkBar: bulk(chosen, choose) })}
        empty={
          <EmptyState icon={empty.icon} title={empty.title} action={create}>
            {empty.words}
          </EmptyState>
        }
      />
      {Form && open !== undefined ? (
        <Suspense fallback={null}>
          <Form key={open} uuid={open === NEW ? null : open} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}
