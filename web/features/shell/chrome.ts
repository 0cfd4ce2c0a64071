export interface Chrome {
  /** Header and footer; they come and go together. */
  header: boolean;
  sidebar: boolean;
}

/**
 * Which parts of the shell stand around a page. None on any address containing 'auth' or 'error', nor on the two demo
 * pages that sign somebody in; the sidebar only in the admin area. Search and hash do not count: a search for an
 * author is no login page.
 */
export function chromeFor(pathname: string, signedIn: boolean): Chrome {
  const header = signedIn && !/auth|error|^\/(test|pass)\/?$/.test(pathname);
  return { header, sidebar: header && /^\/admin(\/|$)/.test(pathname) };
}
