/** The address of the script that a page of the console begins with; it has another name with every build. */
export function entryOf(html: string): string | null {
  const script = /<script\b[^>]*>/g;
  for (const [tag] of html.matchAll(script)) {
    if (/\btype="module"/.test(tag)) {
      return /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? null;
    }
  }
  return null;
}

/** Whether the server has another console than the one that runs here. What cannot be read is no reason to ask anybody anything. */
export function isAnother(running: string | null, html: string): boolean {
  const served = entryOf(html);
  return running !== null && served !== null && served !== running;
}
