/** The place of the messages on their page, below the figures: a link to some of them leads right there. */
export const MESSAGES = 'messages';
