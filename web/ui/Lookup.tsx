import { Select, type SelectProps } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import classes from './Lookup.module.css';
import { unusable } from './unusable.ts';

interface LookupProps extends Omit<SelectProps<string>, 'searchable' | 'searchValue' | 'onSearchChange'> {
  /** What is chosen, by the name that stands in the field; empty for nothing. */
  chosen: string;
  /** Hears what is looked for; the name of what is chosen is no search. */
  onTyped?: (text: string) => void;
  /** The list belongs to what is typed now. Enter waits for that. */
  settled?: boolean;
  /** Text that was not chosen gives way to what is chosen: a filter shows what it filters by. */
  forgets?: boolean;
}

/** One of a list, found by typing. Enter takes an offer and never saves; what was typed and not chosen is said, not dropped. */
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
    // A field that is shown again, such as one in another tab, is put back by its list, and not by the person.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter is answered once, when the list has come.
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
    // Escape closes the list and takes back what was typed, and only then closes what the field stands in.
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      change(chosen);
    }
  };
  const unchosen = left && typed !== '' ? 'Choose one of the list, or clear it.' : null;
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
        // Choosing what is chosen changes nothing but the text.
        if (key === select.value) change(chosen);
      }}
      onBlur={(event) => {
        select.onBlur?.(event);
        if (forgets || typed === '') return;
        // The list has put back what is chosen.
        change(search);
        setLeft(true);
        leftBeside.current = chosen;
      }}
      onKeyDownCapture={onKeyDownCapture}
      {...unusable(!forgets && typed !== '')}
    />
  );
}

/**
 * What Enter takes: the offer that the arrows stand on, else the first that was found; where nothing is looked for, the one
 * that is chosen. Whoever only passes through the field takes nothing.
 */
function offerFor(field: HTMLElement | null, isSearch: boolean): HTMLElement | null {
  const list = document.getElementById(field?.getAttribute('aria-controls') ?? '');
  return (
    list?.querySelector<HTMLElement>('[data-combobox-selected]') ??
    list?.querySelector<HTMLElement>(isSearch ? '[data-combobox-option]' : '[data-combobox-active]') ??
    null
  );
}
