/** Failure at start that the administrator can fix. The message is one line and includes what to do. */
export class StartError extends Error {
  override name = 'StartError';

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' ').trim(), options);
  }
}
