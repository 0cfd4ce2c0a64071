/** Returns the names of the fields that differ. Values are compared as JSON. */
export function changedFields<V extends object>(from: V, to: V): (keyof V & string)[] {
  return (Object.keys(to) as (keyof V & string)[]).filter((name) => !same(from[name], to[name]));
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** A field that another user changed while the form was open. */
export interface FieldConflict<V extends object> {
  field: keyof V & string;
  theirs: unknown;
  mine: unknown;
  /** True if this user changed the field too. */
  isMine: boolean;
}

/**
 * Returns the fields that another user changed since `base`, whether or not this user changed them too. Omits fields in
 * which both users entered the same value.
 */
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

/** Returns the fields that only this user changed. They do not conflict and are always kept. */
export function onlyMine<V extends object>(base: V, mine: V, theirs: V): (keyof V & string)[] {
  const changed = changedFields(base, theirs);
  return changedFields(base, mine).filter((field) => !changed.includes(field));
}

/** Returns the values with the other user's changes. Fields that only this user changed keep this user's values. */
export function takeTheirs<V extends object>(base: V, mine: V, theirs: V): V {
  const merged = { ...mine };
  for (const field of changedFields(base, theirs)) merged[field] = theirs[field];
  return merged;
}

/** Returns the values with this user's changes. Fields that only the other user changed get the other user's values. */
export function keepMine<V extends object>(base: V, mine: V, theirs: V): V {
  const merged = { ...theirs };
  for (const field of changedFields(base, mine)) merged[field] = mine[field];
  return merged;
}
