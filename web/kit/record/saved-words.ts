/** What a toast says after a record was saved: created or changed. */
export function savedWords(name: string, isNew: boolean): string {
  return `${name} was ${isNew ? 'added' : 'saved'}.`;
}
