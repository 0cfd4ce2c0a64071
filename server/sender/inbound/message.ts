/** A message that a person sent to the number of a sender. */
export interface InboundMessage {
  /** The provider's id. A repeated message has the same id. */
  id: string;
  /** Phone number of the sender, as dialled; undefined if it is not a number that can be called. */
  from: string | undefined;
  text: string;
  /** When the person sent it; undefined if the provider does not say. */
  sentAt?: Date;
  /** The provider's id of the message that the person quoted. */
  quoted?: string;
}
