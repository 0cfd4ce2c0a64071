/** Which fields of a form differ, compared as what would be sent. */
export function changedFields<V extends object>(from: V, to: V): (keyof V & string)[] {
  return (Object.keys(to) as (keyof V & string)[]).filter((name) => !same(from[name], to[name]));
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** A field that somebody else changed while it was open here. */
export interface FieldConflict<V extends object> {
  field: keyof V & string;
  theirs: unknown;
  mine: unknown;
  /** It was changed here too. */
  isMine: boolean;
}

/** What somebody else changed since `base` was read, whether or not it was changed here too. */
export function conflictsOf<V extends object>(base: V, mine: V, theirs: V): FieldConflict<V>[] {
  return changedFields(base, theirs)
    .filter((field) => !same(mine[field], theirs[field]))
    .map((field) => ({
      field,
      theirs: theirs[field],
      mine: mine[field],
      isMine: !same(base[field], mine[field]),
    }));
}

/** What was changed here and not by them. It is no conflict, and stays whatever is chosen. */
export function onlyMine<V extends object>(base: V, mine: V, theirs: V): (keyof V & string)[] {
  const changed = changedFields(base, theirs);
  return changedFields(base, mine).filter((field) => !changed.includes(field));
}

/** What they changed comes in; what was changed here and not by them stays. */
export function takeTheirs<V extends object>(base: V, mine: V, theirs: V): V {
  const merged = { ...mine };
  for (const field of changedFields(base, theirs)) merged[field] = theirs[field];
  return merged;
}

/** What was changed here holds; what only they changed comes in. */
export function keepMine<V extends object>(base: V, mine: V, theirs: V): V {
  const merged = { ...theirs };
  for (const field of changedFields(base, mine)) merged[field] = mine[field];
  return merged;
}
