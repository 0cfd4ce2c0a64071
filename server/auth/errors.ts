import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';

export interface RefusalExtras {
  /** Fields of the response in addition to `errorMessage`. */
  fields?: Readonly<Record<string, unknown>>;
  retryAfterMs?: number;
}

/** A refused request, with a message for the user. */
export class HttpRefusal extends Error {
  override name = 'Refusal';
  readonly statusCode: number;
  readonly extras: RefusalExtras;

  constructor(statusCode: number, sentence: string, extras: RefusalExtras = {}) {
    super(sentence);
    this.statusCode = statusCode;
    this.extras = extras;
  }
}

/** Error handler of the auth calls. Rethrows unknown errors. */
export function answerRefusal(thrown: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { validation } = thrown as Partial<FastifyError>;
  const refusal = validation ? new HttpRefusal(400, validationSentence(validation)) : thrown;
  if (!(refusal instanceof HttpRefusal)) throw thrown;
  const { fields, retryAfterMs } = refusal.extras;
  if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  return reply.code(refusal.statusCode).send({ errorMessage: refusal.message, ...fields });
}

/** Returns a message that explains the first validation error. */
export function validationSentence(errors: readonly FastifySchemaValidationError[]): string {
  const error = errors[0];
  if (!error) return 'The request does not have the expected format. Check its fields.';
  if (error.keyword === 'required') return `The field "${String(error.params.missingProperty)}" is missing.`;
  const field = error.instancePath.split('/')[1];
  if (!field) return 'The request must be a JSON object.';
  switch (error.keyword) {
    case 'type':
      return `The field "${field}" must be of type ${[error.params.type].flat().join(' or ')}.`;
    case 'minLength':
      return `The field "${field}" is empty.`;
    case 'maxLength':
      return `The field "${field}" may have at most ${String(error.params.limit)} characters.`;
    case 'pattern':
      return `The field "${field}" contains a character that is not allowed.`;
    default:
      return `The field "${field}" ${error.message ?? 'is not valid'}.`;
  }
}
