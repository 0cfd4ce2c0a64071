import { Link } from '@tanstack/react-router';
import type { MessageFilters } from './report-filters.ts';
import type { ReportView } from './useReportView.ts';

/** Anchor of the message list in the delivery report. */
export const MESSAGES = 'messages';

interface MessagesLinkProps {
  report: ReportView;
  person: string | null | undefined;
  /** Filters for the linked list. They select exactly the messages that the figure counts. */
  counted: MessageFilters;
  /** Link text; defaults to the person's name. */
  children?: string;
}

/** Link to the messages of one person, or of all people, in the same date range. */
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
