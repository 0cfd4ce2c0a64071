/** Returns the URL of the console's entry script; null if there is none. The URL changes with every build. */
export function entryScriptOf(html: string): string | null {
  const script = /<script\b[^>]*>/g;
  for (const [tag] of html.matchAll(script)) {
    if (/\btype="module"/.test(tag)) {
      return /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? null;
    }
  }
  return null;
}

/** Returns whether the server has a different console version. An unreadable page counts as the same version. */
export function isNewVersion(running: string | null, html: string): boolean {
  const served = entryScriptOf(html);
  return running !== null && served !== null && served !== running;
}
