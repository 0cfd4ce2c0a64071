import type { QueryClient } from '@tanstack/react-query';
import { can } from '../../../../domain/permission.ts';
import { queryClient } from '../../../api/query-client.ts';
import { actorOf } from '../../../kit/session/actor.ts';
import { type Session, session } from '../../../kit/session/session.ts';
import { type AlarmNews, followAlarmNews } from '../alarm.queries.ts';

type Tell = (news: AlarmNews) => void;

interface EarlyNews {
  /** The session that owns the subscription; another session starts its own. */
  session: Session;
  tell: Tell;
  heard: AlarmNews[];
  stop: () => void;
}

let early: EarlyNews | undefined;

/**
 * Subscribes to alarm news before the first page renders. A page that loads its data after the subscription has started
 * need not load it again to catch changes in between.
 */
export function followEarly(): void {
  const current = session.get();
  if (early || current.status !== 'in' || !can(actorOf(current.user), 'alarm.read')) return;
  const heard: AlarmNews[] = [];
  const news: EarlyNews = {
    session: current,
    tell: (about) => {
      if (!about.isFirst || hasAsked(queryClient, [])) heard.push({ ...about, isFirst: false });
    },
    heard,
    stop: followAlarmNews((about) => news.tell(about)),
  };
  early = news;
}

/** Passes the early subscription on to the page, or starts another. */
export function takeOverNews(tell: Tell): () => void {
  const news = early;
  early = undefined;
  if (news?.session !== session.get()) {
    news?.stop();
    return followAlarmNews(tell);
  }
  news.tell = tell;
  for (const about of news.heard) tell(about);
  return news.stop;
}

/** True if a query with this key was sent or answered. The cache also holds queries that were never sent. */
export function hasAsked(cache: QueryClient, queryKey: readonly string[]): boolean {
  const queries = cache.getQueryCache().findAll({ queryKey });
  return queries.some(({ state }) => state.fetchStatus !== 'idle' || state.dataUpdatedAt > 0);
}
