/** Address of the console's entry script; its name changes with every build. */
export function entryScriptOf(html: string): string | null {
  const script = /<script\b[^>]*>/g;
  for (const [tag] of html.matchAll(script)) {
    if (/\btype="module"/.test(tag)) {
      return /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? null;
    }
  }
  return null;
}

/** Whether the server has another console version. An unreadable page counts as the same version. */
export function isNewVersion(running: string | null, html: string): boolean {
  const served = entryScriptOf(html);
  return running !== null && served !== null && served !== running;
}
