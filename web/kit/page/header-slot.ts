import { useEffect } from 'react';
import type { State } from '../../ui/StateMark.tsx';
import { createStore } from '../../ui/store.ts';
import { useDocumentTitle } from '../brand/useDocumentTitle.ts';

/** Content in the middle of the header: a title, or a site's status. Contains data only, no markup. */
export type HeaderSlot =
  | { kind: 'title'; title: string }
  | { kind: 'status'; title: string; state: State; acknowledged: boolean; words: string; note?: string };

export const headerSlot = createStore<HeaderSlot>({ kind: 'title', title: '' });

/** Sets the titles of the header and of the browser tab. `tab` distinguishes pages with the same title. */
export function useHeaderTitle(title: string, tab = title): void {
  useDocumentTitle(tab);
  useEffect(() => headerSlot.set({ kind: 'title', title }), [title]);
}

/** Shows a site's status in the header. `status` is null until it is known; the header then shows the title. */
export function useHeaderStatus(title: string, status: Omit<HeaderSlot & { kind: 'status' }, 'kind' | 'title'> | null) {
  useDocumentTitle(title);
  useEffect(() => {
    headerSlot.set(status === null ? { kind: 'title', title } : { kind: 'status', title, ...status });
  }, [title, status]);
}
