import classes from './Avatar.module.css';

/** The initials of a name: of its first and last word, or of the only one. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}

/** A person as their initials. The name must stand beside it, or be the label of the button around it. */
export function Avatar({ name, size = 26 }: { name: string; size?: number }) {
  return (
    <span className={classes.avatar} style={{ width: size, height: size }} aria-hidden>
      {initials(name)}
    </span>
  );
}
