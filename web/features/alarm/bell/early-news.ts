import type { QueryClient } from '@tanstack/react-query';
import { can } from '../../../../domain/permission.ts';
import { queryClient } from '../../../api/query-client.ts';
import { actorOf } from '../../../kit/session/actor.ts';
import { type Session, session } from '../../../kit/session/session.ts';
import { type AlarmNews, followAlarmNews } from '../alarm.queries.ts';

type Tell = (news: AlarmNews) => void;

interface EarlyNews {
  /** The session that started the subscription. Another session must start its own subscription. */
  session: Session;
  tell: Tell;
  heard: AlarmNews[];
  stop: () => void;
}

let early: EarlyNews | undefined;

/**
 * Subscribes to alarm changes before the first page renders. A page that loads its data after that misses no change and
 * does not need to load the data twice.
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

/**
 * Connects the early subscription to `tell`, or starts a new subscription if the session has changed. Returns an
 * unsubscribe function.
 */
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

/**
 * Returns true if a query whose key starts with `queryKey` is running or has data. The check is needed because the
 * cache also contains queries that were never sent.
 */
export function hasAsked(cache: QueryClient, queryKey: readonly string[]): boolean {
  const queries = cache.getQueryCache().findAll({ queryKey });
  return queries.some(({ state }) => state.fetchStatus !== 'idle' || state.dataUpdatedAt > 0);
}
