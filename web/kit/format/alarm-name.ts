/**
 * An alarm's message where the site's name stands beside it already: a message that begins with that name would say it
 * twice, and be cut before it comes to what happened. Only where a sign parts the two: of 'Storm high' at the site Storm
 * the name is part of what happened.
 */
export function withoutSite(message: string, siteName: string): string {
  if (siteName === '' || !message.startsWith(siteName)) {
    return message;
  }
  const rest = /^(?::\s*|,\s+|\s+[–-]\s+)(\S.*)$/s.exec(message.slice(siteName.length))?.[1];
  return rest === undefined ? message : rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** An alarm and its site in one line, each said once: `Level high, Quay Street`. */
export function alarmName({ message, siteName }: { message: string; siteName: string }): string {
  return `${withoutSite(message, siteName)}, ${siteName}`;
}
