import type { UseQueryOptions } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { PanelBody, PanelFrame, PanelHead } from '../../ui/SidePanel.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { LoadError } from '../page/LoadError.tsx';
import classes from './RecordPanel.module.css';

interface LoadedPanelProps<T, Key extends readonly unknown[]> {
  /** Heading shown until the record's name has loaded, such as 'Site'. */
  noun: string;
  query: UseQueryOptions<T | null, Error, T | null, Key>;
  onClose: () => void;
  /** Renders the panel with the first loaded record. Later fetches do not overwrite the user's input. */
  children: (record: T) => ReactNode;
}

/** A panel for a record that must be loaded first. */
export function LoadedPanel<T, Key extends readonly unknown[]>(props: LoadedPanelProps<T, Key>) {
  const { noun, query, onClose, children } = props;
  const answer = useQuery(query);
  if (answer.data) {
    return children(answer.data);
  }
  return (
    <PanelFrame title={noun}>
      <PanelHead title={noun} onClose={onClose} />
      {answer.isError ? (
        <ErrorState title="The record could not be loaded" onRetry={() => void answer.refetch()}>
          {messageOf(answer.error)}
        </ErrorState>
      ) : answer.data === null ? (
        <EmptyState title="Record not found">It was deleted, or you do not have access to it.</EmptyState>
      ) : (
        <LoadError query={answer}>
          <PanelBody>
            <div className={classes.waiting} role="status" aria-label="Loading">
              {['40%', '100%', '30%', '100%', '50%', '100%'].map((width, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity but their index.
                <Skeleton key={index} width={width} height={index % 2 ? 32 : 10} />
              ))}
            </div>
          </PanelBody>
        </LoadError>
      )}
    </PanelFrame>
  );
}
