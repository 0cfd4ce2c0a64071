/** Returns the toast text after saving: the record was added, or an existing one was saved. */
export function savedWords(name: string, isNew: boolean): string {
  return `${name} was ${isNew ? 'added' : 'saved'}.`;
}
