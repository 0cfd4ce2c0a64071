/** Command that a user saved as a template. It is kept in local storage, so all users of this browser share it. */
export interface Template {
  name: string;
  command: string;
}

const MOST = 50;

/** Parses the stored templates. Ignores invalid entries. */
export function parseTemplates(text: string | null): Template[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isTemplate).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function isTemplate(value: unknown): value is Template {
  if (typeof value !== 'object' || value === null) return false;
  const { name, command } = value as Record<string, unknown>;
  return typeof name === 'string' && name !== '' && typeof command === 'string' && command !== '';
}

/** Adds a template. Replaces a template with the same name. */
export function withTemplate(templates: readonly Template[], added: Template): Template[] {
  return [...templates.filter(({ name }) => name !== added.name), added]
    .sort((one, other) => one.name.localeCompare(other.name))
    .slice(0, MOST);
}
