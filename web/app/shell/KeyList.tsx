import { Fragment } from 'react';
import { isKeyListOpen, type KeyWords, pageKeys } from '../../kit/page/key-list.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { usePageKeys } from '../../ui/page-keys.ts';
import { useStore } from '../../ui/store.ts';
import { paletteHint } from '../palette/palette.sources.ts';
import classes from './KeyList.module.css';
import { paletteKey } from './palette-key.ts';

/**
 *  Lists the keyboard shortcuts of the open page. Also handles `?`, which opens the list, and `/`, which focuses the
 * page's search field.
 */
export function KeyList() {
  const isOpen = useStore(isKeyListOpen);
  const ofPage = useStore(pageKeys);
  usePageKeys((event) => {
    if (event.key === '?') {
      isKeyListOpen.set(true);
    } else if (event.key === '/' && searchOfPage() !== null) {
      searchOfPage()?.focus();
      searchOfPage()?.select();
    } else {
      return;
    }
    event.preventDefault();
  });
  return (
    <Dialog
      opened={isOpen}
      onClose={() => isKeyListOpen.set(false)}
      label="Keyboard shortcuts"
      head={<h2>Keyboard shortcuts</h2>}
    >
      {ofPage.length > 0 ? <Group title="On this page" keys={ofPage} /> : null}
      <Group title={ofPage.length > 0 ? 'On every page' : undefined} keys={globalKeys()} />
    </Dialog>
  );
}

function globalKeys(): KeyWords[] {
  const search: KeyWords[] = searchOfPage() === null ? [] : [{ keys: ['/'], words: 'Search this page' }];
  return [
    ...search,
    { keys: [paletteKey], words: paletteHint() },
    { keys: ['?'], words: 'Show keyboard shortcuts' },
    { keys: ['Esc'], words: 'Close dialog' },
  ];
}

function searchOfPage(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[type="search"]');
}

function Group({ title, keys: all }: { title: string | undefined; keys: readonly KeyWords[] }) {
  return (
    <>
      {title === undefined ? null : <h3 className={classes.title}>{title}</h3>}
      <dl className={classes.keys}>
        {all.map(({ keys, words }) => (
          <Fragment key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}
