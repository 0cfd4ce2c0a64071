import { Link } from '@tanstack/react-router';
import type { WantedMessages } from './message-report.queries.ts';
import type { ReportView } from './useReportView.ts';

/** The place of the messages on their page, below the figures: a link to some of them leads right there. */
export const MESSAGES = 'messages';

interface MessagesLinkProps {
  report: ReportView;
  person: string | null | undefined;
  /** What else was counted, so that the list has the very messages of the figures that lead to it. */
  counted: WantedMessages;
  /** The person's name where nothing else is said. */
  children?: string;
}

/** Leads to the messages of the same days that were counted, of one person or of all. */
export function MessagesLink({ report, person, counted, children }: MessagesLinkProps) {
  const { range, from, to } = report.view.filters;
  const { office, site, method, kind, state, search } = counted;
  return (
    <Link
      to="/reports/delivery"
      hash={MESSAGES}
      search={{
        ...{ range, from, to, office, site, state, person: person ?? undefined, q: search || undefined },
        ...(method !== undefined && { method: String(method) }),
        ...(kind !== undefined && { kind: String(kind) }),
      }}
    >
      {children ?? person}
    </Link>
  );
}
