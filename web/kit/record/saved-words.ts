/** Toast text after saving a record: created or changed. */
export function savedWords(name: string, isNew: boolean): string {
  return `${name} was ${isNew ? 'added' : 'saved'}.`;
}
