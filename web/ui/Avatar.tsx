import classes from './Avatar.module.css';

/** Returns the initials of the first and last word of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}

/**
 * Shows a person's initials. The person's name must be next to the avatar, or must be the label of the button around
 * it.
 */
export function Avatar({ name, size = 26 }: { name: string; size?: number }) {
  return (
    <span className={classes.avatar} style={{ width: size, height: size }} aria-hidden>
      {initials(name)}
    </span>
  );
}
