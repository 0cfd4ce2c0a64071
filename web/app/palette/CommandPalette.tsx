import { Button, Modal } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { TbSearch } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { allPlacesFor } from '../../kit/page/navigation.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useOverlay } from '../../ui/useOverlay.ts';
import classes from './CommandPalette.module.css';
import { takeEarlyKeys } from './early-keys.ts';
import { matches } from './match.ts';
import { pastAlarmsOf } from './palette.queries.ts';
import { paletteHint } from './palette.sources.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { usePaletteSearch } from './usePaletteSearch.ts';

/** Opens pages and records by name: the pages that the user may open, and the results of the search sources. */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  if (!useOverlay(opened)) return null;
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      padding={0}
      size={480}
      yOffset="12dvh"
      transitionProps={{ duration: 120, transition: 'fade' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={paletteHint()}>
        <PaletteBody opened={opened} onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteBody({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const router = useRouter();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // Focuses the search field before the first paint, so that no key press is lost.
  useLayoutEffect(() => {
    if (!opened) return;
    field.current?.focus();
    const early = takeEarlyKeys();
    if (early !== '') setText((before) => before + early);
  }, [opened]);
  const [chosen, setChosen] = useState(0);
  const pages = usePages(text);
  const { found, failed, searching } = usePaletteSearch(text);
  const entries = [...pages, ...found];
  const at = Math.min(chosen, entries.length - 1);
  const [awaited, setAwaited] = useState(false);

  const past = pastAlarmsOf(text.trim());
  const go = (href: string) => {
    onClose();
    router.history.push(href);
  };
  const open = (entry: PaletteEntry | undefined) => {
    if (entry) go(entry.href);
  };
  // Enter waits for the search, so that it does not open a result for text that the user typed earlier.
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter acts once, when the results have arrived.
  useEffect(() => {
    if (!awaited || searching) return;
    setAwaited(false);
    open(entries[at]);
  }, [awaited, searching]);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((at + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (searching && (at < 0 || at >= pages.length)) setAwaited(true);
      else open(entries[at]);
    }
  };

  return (
    <>
      <div className={classes.field}>
        <TbSearch size={16} strokeWidth={1.75} aria-hidden />
        <input
          ref={field}
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls="palette-entries"
          aria-activedescendant={entries[at] ? `palette-${entries[at].id}` : undefined}
          aria-label={paletteHint()}
          placeholder={paletteHint()}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
            setAwaited(false);
          }}
          onKeyDown={press}
        />
      </div>
      <div id="palette-entries" role="listbox" aria-label="Places" className={classes.entries}>
        {entries.map((entry, index) => (
          <Entry key={entry.id} entry={entry} chosen={index === at} onOpen={() => open(entry)} />
        ))}
      </div>
      {entries.length === 0 && searching ? <EmptyState title="Searching…" /> : null}
      {entries.length === 0 && !searching && !failed ? (
        <EmptyState
          title={`Nothing matches “${text}”`}
          action={
            past === null ? null : (
              <Button variant="default" size="xs" onClick={() => go(past)}>
                Search past alarms
              </Button>
            )
          }
        >
          Enter the first letters of a name.
        </EmptyState>
      ) : null}
      {failed && !searching ? <p className={classes.failed}>The search failed. Try again in a moment.</p> : null}
      <div className={classes.keys}>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </div>
    </>
  );
}

function Entry({ entry, chosen, onOpen }: { entry: PaletteEntry; chosen: boolean; onOpen: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles all keys and announces the chosen option.
    <div
      id={`palette-${entry.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className={classes.entry}
      ref={(element) => {
        if (chosen) {
          element?.scrollIntoView({ block: 'nearest' });
        }
      }}
      onClick={onOpen}
    >
      <entry.icon size={16} strokeWidth={1.75} />
      <span>{entry.label}</span>
      <span className={classes.note}>{entry.note}</span>
      {entry.state ? <StateMark {...entry.state} /> : null}
    </div>
  );
}

function usePages(text: string): PaletteEntry[] {
  const actor = useActor();
  return allPlacesFor(actor)
    .map((place) => ({ ...place, inside: place.holds && can(actor, place.holds.needs) ? place.holds.name : null }))
    .filter(({ label, inside }) => matches(`${label} ${inside ?? ''}`, text))
    .map((place) => ({
      id: place.to.slice(1).replaceAll('/', '-'),
      label: place.label,
      note: ['Page', place.to.startsWith('/admin') && 'Admin', place.inside && `includes the ${place.inside}`]
        .filter(Boolean)
        .join(', '),
      href: place.to,
      icon: place.icon,
    }));
}
