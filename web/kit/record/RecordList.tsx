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
  /** What the list holds, as a heading: 'Rule alerts'. */
  title: string;
  /** What the downloaded file is called, without its ending. */
  file: string;
  defaults: ListDefaults;
  query: (view: ListView) => UseQueryOptions<ListPage<T>, Error, ListPage<T>, Key> & { queryKey: Key };
  columns: Columns<T>;
  exported: readonly ExportColumn<T>[];
  searchHint: string;
  /** What the button says that makes a new one; no button without it. */
  create: string | false;
  empty: { icon: IconType; title: string; words: string };
  /** What can be done with many at once, where the person may. */
  bulk?: ((chosen: readonly T[], choose: (rows: readonly T[]) => void) => ReactNode) | false;
  /** The panel in which one is made, whose uuid is null then, or changed. Without it another page opens it. */
  form?: ComponentType<{ uuid: string | null; onClose: () => void }>;
  /** Stands before the buttons of the heading. */
  choice?: ReactNode;
}

/** A list of records with its heading, its download, and the form in which one of them is made or changed. */
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
