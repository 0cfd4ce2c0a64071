import { createContext, type ReactNode, useContext } from 'react';

/** The level of headings in this part of a page, so that a part fits under a page's title as well as in a panel. */
const HeadingLevel = createContext<2 | 3>(3);

/** The parts inside have headings of the second level: they stand directly under the page's title. */
export function UnderPageTitle({ children }: { children: ReactNode }) {
  return <HeadingLevel value={2}>{children}</HeadingLevel>;
}

/** A heading at the level of its place; `sub` for one below another heading of the same part. */
export function Heading({ children, sub = false }: { children: ReactNode; sub?: boolean }) {
  const level = useContext(HeadingLevel) + Number(sub);
  const Tag = `h${level}` as 'h2' | 'h3' | 'h4';
  return <Tag>{children}</Tag>;
}
