interface MarkProps {
  size: number;
  className?: string;
}

/**
 * The Tocsin bell logo in the theme's colours. Hidden from screen readers; the parent element supplies the accessible
 * name.
 */
export function Mark({ size, className }: MarkProps) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="6" fill="var(--ink)" />
      <g fill="var(--on-ink)" transform="translate(16 16.4) rotate(-12) scale(1.04) translate(-16 -16)">
        <circle cx="16" cy="6.4" r="1.8" />
        <path d="M16 7.4c4 0 6.4 2.8 6.4 6.6 0 4 .7 5.6 2.6 7.3.5.5.2 1.2-.5 1.2H7.5c-.7 0-1-.7-.5-1.2 1.9-1.7 2.6-3.3 2.6-7.3 0-3.8 2.4-6.6 6.4-6.6z" />
        <path d="M14.2 24.2h6.2a3.1 3.1 0 0 1-6.2 0z" />
      </g>
    </svg>
  );
}
