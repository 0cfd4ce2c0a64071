/**
 * Removes the site's name from the start of a message that is displayed next to that name. Requires a separator after
 * the name: in 'Storm high' at the site Storm, the name is part of the message.
 */
export function withoutSite(message: string, siteName: string): string {
  if (siteName === '' || !message.startsWith(siteName)) {
    return message;
  }
  const rest = /^(?::\s*|,\s+|\s+[–-]\s+)(\S.*)$/s.exec(message.slice(siteName.length))?.[1];
  return rest === undefined ? message : rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Returns an alarm and its site as one line, without repeating the site: `Level high, Quay Street`. */
export function alarmName({ message, siteName }: { message: string; siteName: string }): string {
  return `${withoutSite(message, siteName)}, ${siteName}`;
}
