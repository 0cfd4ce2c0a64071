import { useEffect } from 'react';
import { useStore } from '../../ui/store.ts';
import { titleCount, titleOf } from './title-count.ts';

/** Sets the title of the browser tab. */
export function useDocumentTitle(title: string): void {
  const count = useStore(titleCount);
  useEffect(() => {
    document.title = titleOf(title, count);
  }, [title, count]);
}
