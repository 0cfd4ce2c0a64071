import { Select, type SelectProps } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { afterPress } from './field/after-press.ts';
import { unusable } from './field/unusable.ts';
import classes from './Lookup.module.css';

interface LookupProps extends Omit<SelectProps<string>, 'searchable' | 'searchValue' | 'onSearchChange'> {
  /** Name of the chosen option, shown in the field; empty if nothing is chosen. */
  chosen: string;
  /** Called with the search text. The text is empty if it equals the name of the chosen option. */
  onTyped?: (text: string) => void;
  /** True if the list matches the typed text. Enter takes effect only when it does. */
  settled?: boolean;
  /**
   * Restores the chosen option if the user leaves other text in the field. Filters need this, because they must show
   * their current value.
   */
  forgets?: boolean;
}

/**
 * A field in which the user types to choose from a list. While the list is open, Enter chooses an option and does not
 * submit the form. Typed text without a chosen option stays in the field with an error, unless `forgets` is set.
 */
export function Lookup({ chosen, onTyped, settled = true, forgets = false, ...select }: LookupProps) {
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState(chosen);
  const [opened, setOpened] = useState(false);
  const [left, setLeft] = useState(false);
  const [awaited, setAwaited] = useState(false);
  const typed = search === chosen ? '' : search.trim();
  const change = (text: string) => {
    setSearch(text);
    setLeft(false);
    setAwaited(false);
    onTyped?.(text === chosen ? '' : text.trim());
  };
  const leftBeside = useRef(chosen);
  const changeUnlessLeft = (text: string) => {
    // Mantine resets the text of a field that becomes visible again, for example after a change of tab. This is not
    // user input.
    const untouched = left && document.activeElement !== field.current && leftBeside.current === chosen;
    if (!untouched) change(text);
  };
  const close = () => {
    setOpened(false);
    select.onDropdownClose?.();
  };
  const take = () => {
    setAwaited(false);
    const offer = offerFor(field.current, typed !== '');
    if (offer) offer.click();
    else if (typed === '') close();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter acts once, when the list has arrived.
  useEffect(() => {
    if (awaited && settled) take();
  }, [awaited, settled]);

  const onKeyDownCapture = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!opened || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      if (settled) take();
      else setAwaited(true);
    }
    // The first Escape closes the list and restores the text. Only a second Escape closes the parent.
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      change(chosen);
    }
  };
  const unchosen = left && typed !== '' ? 'Choose an entry from the list, or clear the field.' : null;
  return (
    <Select
      allowDeselect={false}
      withCheckIcon={false}
      {...select}
      ref={field}
      error={unchosen ?? select.error}
      {...(typed !== '' && { classNames: { options: classes.found ?? '' } })}
      searchable
      searchValue={search}
      onSearchChange={changeUnlessLeft}
      dropdownOpened={opened}
      onDropdownOpen={() => {
        setOpened(true);
        select.onDropdownOpen?.();
      }}
      onDropdownClose={close}
      onOptionSubmit={(key) => {
        // Choosing the current option again only restores its text.
        if (key === select.value) change(chosen);
      }}
      onBlur={(event) => {
        select.onBlur?.(event);
        if (forgets || typed === '') return;
        // Mantine resets the text on blur, so the typed text is restored here.
        change(search);
        afterPress(() => setLeft(true));
        leftBeside.current = chosen;
      }}
      onKeyDownCapture={onKeyDownCapture}
      {...unusable(!forgets && typed !== '')}
    />
  );
}

/**
 * Returns the option that Enter chooses: the one highlighted with the arrow keys; otherwise the first match; or, if
 * nothing was typed, the current value. Returns null if there is none.
 */
function offerFor(field: HTMLElement | null, isSearch: boolean): HTMLElement | null {
  const list = document.getElementById(field?.getAttribute('aria-controls') ?? '');
  return (
    list?.querySelector<HTMLElement>('[data-combobox-selected]') ??
    list?.querySelector<HTMLElement>(isSearch ? '[data-combobox-option]' : '[data-combobox-active]') ??
    null
  );
}
