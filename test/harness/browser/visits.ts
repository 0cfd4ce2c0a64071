/**
 * Windows that stay signed in between tests. Following a link in such a window takes a third of the time that loading
 * the console takes.
 */
import type { Page } from 'playwright-core';
import { goTo, settled } from './settled.ts';
import { forgetListeners, sizeOf } from './window.ts';

export interface VisitOptions {
  as: { email: string; tocsin_customer_uuid: string };
  phone?: boolean;
  dark?: boolean;
  time?: Date;
}

interface Visit {
  email: string;
  /** Identifies the settings with which the window was opened. Windows of the same kind are interchangeable. */
  kind: string;
  phone: boolean;
  session: string | undefined;
}

interface Door {
  open(path: string, options: VisitOptions): Promise<Page>;
  leave(page: Page): Promise<void>;
  watch(page: Page, path: string): void;
  /** Returns the current session of this person. */
  sessionOf(person: VisitOptions['as']): Promise<string | undefined>;
}

export function keepVisits({ open, leave, watch, sessionOf }: Door) {
  const busy = new Map<Page, Visit>();
  const standing = new Map<Page, Visit>();
  return {
    async visit(path: string, options: VisitOptions): Promise<Page> {
      const { as, phone = false, dark, time } = options;
      const kind = `${phone ? 'phone' : 'wide'} ${time ? 'standing' : 'running'}`;
      const session = await sessionOf(as);
      const [page, visit] = [...standing].find((one) => one[1].kind === kind) ?? [];
      if (page && visit) {
        standing.delete(page);
        if (visit.email === as.email && visit.session === session) {
          busy.set(page, visit);
          watch(page, path);
          await page.emulateMedia({ media: null, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
          if (time) await page.clock.setFixedTime(time);
          await goTo(page, path);
          return page;
        }
        // The window belongs to another user or session. `leave` clears it, so that `open` can use it again.
        await leave(page);
      }
      const opened = await open(path, options);
      busy.set(opened, { email: as.email, kind, phone, session });
      return opened;
    },
    /** Keeps the window for the next visit, unless its session has ended. Returns true if the window was kept. */
    async keep(page: Page): Promise<boolean> {
      const visit = busy.get(page);
      busy.delete(page);
      if (!visit || (await sessionIn(page)) !== visit.session) return false;
      try {
        await rest(page, visit);
      } catch {
        return false;
      }
      standing.set(page, visit);
      return true;
    },
  };
}

const sessionIn = async (page: Page): Promise<string | undefined> =>
  (await page.context().cookies()).find(({ name }) => name === 'tocsin_session')?.value;

/** Opens a page that sends no requests, and clears cached responses and storage. */
async function rest(page: Page, { phone }: Visit): Promise<void> {
  await page.unrouteAll();
  await page.setViewportSize(sizeOf(phone));
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    const { document, history, localStorage, sessionStorage } = globalThis as any;
    const root = document.getElementById('root');
    const parts = [root[Object.keys(root).find((key) => key.startsWith('__reactContainer$')) ?? '']];
    for (const part of parts) {
      part.memoizedProps?.client?.getQueryCache?.().clear();
      if (part.child) parts.push(part.child);
      if (part.sibling) parts.push(part.sibling);
    }
    for (const key of Object.keys(localStorage)) if (!/^user(ID|level)$/.test(key)) localStorage.removeItem(key);
    sessionStorage.clear();
    history.pushState(null, '', '/error/4xx');
  });
  await settled(page);
  forgetListeners(page);
}
