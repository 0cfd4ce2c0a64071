import { Link } from '@tanstack/react-router';
import type { Place } from './alarm-report.queries.ts';
import type { ReportView } from './useReportView.ts';

/** The place of the messages on their page, below the figures: a link to some of them leads right there. */
export const MESSAGES = 'messages';

interface MessagesLinkProps {
  report: ReportView;
  place: Place;
  person: string | null;
  /** The way they went; without it all ways. */
  method?: number | null | undefined;
}

/** A person's name, leading to the messages of the same days and place that went to them. */
export function MessagesLink({ report, place, person, method }: MessagesLinkProps) {
  const { range, from, to } = report.view.filters;
  return (
    <Link
      to="/reports/delivery"
      hash={MESSAGES}
      search={{ ...{ range, from, to, ...place }, ...(method != null && { method: String(method) }), q: person ?? '' }}
    >
      {person}
    </Link>
  );
}
