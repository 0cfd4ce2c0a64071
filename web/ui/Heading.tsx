import { createContext, type ReactNode, useContext } from 'react';

/**
 * The heading level of the current section. Shared components read it, so that their headings have the right level on a
 * page and in a panel.
 */
const HeadingLevel = createContext<2 | 3>(3);

/** Sets the heading level of its content to 2, for content directly under the page's title. */
export function UnderPageTitle({ children }: { children: ReactNode }) {
  return <HeadingLevel value={2}>{children}</HeadingLevel>;
}

/** A heading at the current level; `sub` is one level below. */
export function Heading({ children, sub = false }: { children: ReactNode; sub?: boolean }) {
  const level = useContext(HeadingLevel) + Number(sub);
  const Tag = `h${level}` as 'h2' | 'h3' | 'h4';
  return <Tag>{children}</Tag>;
}
