import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../../api/graphql.ts';

const dismissal = graphql(`
  query AdviceDismissal($rule: UUID!) {
    rule(uuid: $rule) {
      adviceDismissal {
        note
        userName
        dismissedAt
      }
    }
  }
`);

const dismiss = graphql(`
  mutation DismissAdvice($rule: UUID!, $note: String!) {
    dismissAdvice(input: { ruleUuid: $rule, note: $note }) {
      clientMutationId
    }
  }
`);

const resume = graphql(`
  mutation ResumeAdvice($rule: UUID!) {
    resumeAdvice(input: { ruleUuid: $rule }) {
      clientMutationId
    }
  }
`);

export interface AdviceDismissal {
  note: string;
  userName: string;
  dismissedAt: string;
}

/** Fetches the dismissal of the advice for a rule; null if the advice is shown. */
export function adviceDismissalQuery(ruleUuid: string) {
  return queryOptions({
    queryKey: ['rule', 'advice-dismissal', ruleUuid],
    queryFn: async ({ signal }): Promise<AdviceDismissal | null> => {
      const found = (await ask(dismissal, { rule: ruleUuid }, signal)).rule?.adviceDismissal;
      if (!found?.dismissedAt) return null;
      return { note: found.note ?? '', userName: found.userName ?? '', dismissedAt: found.dismissedAt };
    },
    staleTime: 0,
  });
}

export async function dismissAdvice(rule: string, note: string): Promise<void> {
  await ask(dismiss, { rule, note });
}

export async function resumeAdvice(rule: string): Promise<void> {
  await ask(resume, { rule });
}
