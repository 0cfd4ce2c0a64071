/** A paragraph of an e-mail: plain text, a one-time code or a link. In the HTML version, its text is escaped. */
export type MailPart = string | { code: string } | { link: string; title: string };

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

export function composeMail(subject: string, parts: readonly MailPart[]): MailText {
  // Removes line breaks from the subject, which prevents header injection.
  const oneLine = subject.replace(/\s+/g, ' ').trim();
  return {
    subject: oneLine,
    text: `${parts.map(plain).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(oneLine)}</title></head><body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1d21">\n${parts.map(markedUp).join('\n')}\n</body></html>\n`,
  };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function plain(part: MailPart): string {
  if (typeof part === 'string') return part;
  return 'code' in part ? `    ${part.code}` : part.link;
}

function markedUp(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('code' in part) {
    return `<p style="font-size:28px;font-weight:bold;letter-spacing:4px">${escapeHtml(part.code)}</p>`;
  }
  const link = escapeHtml(part.link);
  return `<p><a href="${link}">${escapeHtml(part.title)}</a><br><span style="color:#5b6470;font-size:13px">${link}</span></p>`;
}
