import { graphql } from '../../api/graphql.ts';

/** The default message that alarms use; no row if the customer has none. */
export const usedDefaultMessage = graphql(`
  fragment UsedDefaultMessage on Query {
    alarmDefaultMessages(first: 1, filter: { isUsed: { equalTo: true } }) {
      nodes {
        uuid
        message
      }
    }
  }
`);
