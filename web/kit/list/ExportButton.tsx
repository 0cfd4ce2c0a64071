import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import { TbDownload } from 'react-icons/tb';
import { type CsvValue, csvText } from '../../../domain/csv.ts';
import { messageOf } from '../../api/http.ts';
import { LightTooltip } from '../../ui/LightTooltip.tsx';
import type { ListView } from '../../ui/table/list-view.ts';
import { toast } from '../../ui/toast/toast.ts';
import { counted } from '../format/number.ts';
import type { ListPage } from './list.ts';

/** Number of rows per request. MOST limits the total number of rows. */
const PORTION = 500;
const MOST = 20_000;

export interface ExportColumn<T> {
  header: string;
  value: (row: T) => CsvValue;
}

interface ExportButtonProps<T> {
  /** File name without extension. If the name contains the time of the download, it is a function. */
  name: string | (() => string);
  view: ListView;
  /** Fetches one page of the list. */
  fetch: (view: ListView) => Promise<ListPage<T>>;
  columns: readonly ExportColumn<T>[];
  /** True to show only the icon, for narrow places. */
  small?: boolean;
}

/** Downloads all pages of the list with its search, filters and order. */
export function ExportButton<T>({ name, view, fetch, columns, small = false }: ExportButtonProps<T>) {
  const [done, setDone] = useState<number | null>(null);
  const run = async () => {
    setDone(0);
    try {
      const rows: T[] = [];
      for (let page = 1; rows.length < MOST; page += 1) {
        const portion = await fetch({ ...view, page, size: PORTION });
        rows.push(...portion.rows);
        setDone(rows.length);
        if (portion.rows.length < PORTION) break;
      }
      const head = columns.map(({ header }) => header);
      download(
        `${typeof name === 'string' ? name : name()}.csv`,
        csvText(
          head,
          rows.map((row) => columns.map(({ value }) => value(row))),
        ),
      );
      if (rows.length >= MOST) toast.info(`The file contains the first ${MOST.toLocaleString()} rows.`);
    } catch (error) {
      toast.error(`The list could not be exported. ${messageOf(error)}`);
    } finally {
      setDone(null);
    }
  };
  if (small) {
    return (
      <LightTooltip label={() => 'Export'}>
        <ActionIcon
          variant="default"
          size="var(--control)"
          aria-label="Export"
          loading={done !== null}
          onClick={() => void run()}
        >
          <TbDownload size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
      </LightTooltip>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<TbDownload size={14} strokeWidth={1.75} aria-hidden />}
      disabled={done !== null}
      onClick={() => void run()}
    >
      {done === null ? 'Export' : done === 0 ? 'Exporting…' : counted(done, 'row')}
    </Button>
  );
}

/** Downloads the text as a file. The file starts with the UTF-8 byte order mark, which Excel requires. */
export function download(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
