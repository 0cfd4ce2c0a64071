import { Duplex } from 'node:stream';
import type { EmbeddedEngine } from './engine.ts';
import { concat, isTerminate } from './wire.ts';

const SLICE = 256 * 1024;

/**
 * Replaces the socket of node-postgres. Each write is sent to the database thread as one message, and the thread
 * replies with one message in PostgreSQL's protocol, so types, errors, notices and notifications work as they do with a
 * server.
 */
export class EmbeddedStream extends Duplex {
  readonly #engine: EmbeddedEngine;

  constructor(engine: EmbeddedEngine) {
    super();
    this.#engine = engine;
  }

  connect(): this {
    this.#engine.ready().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#send([chunk], done);
  }

  /** node-postgres corks the stream while it writes one query, so the chunks of the query arrive together. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#send(
      chunks.map((one) => one.chunk),
      done,
    );
  }

  override _final(done: (error?: Error) => void): void {
    done();
    this.destroy();
  }

  #send(chunks: Buffer[], done: (error?: Error) => void): void {
    const bytes = concat(chunks);
    // A Terminate message is ignored, because the session outlives the connection. The next connection resets the
    // session.
    if (!isTerminate(bytes)) {
      this.#engine.exchange(bytes, {
        // The reply is passed on in slices. If the reader destroys the stream in between, it does not receive the
        // remaining slices.
        settle: (reply) => {
          for (let at = 0; at < reply.byteLength && !this.destroyed; at += SLICE) {
            const length = Math.min(SLICE, reply.byteLength - at);
            this.push(Buffer.from(reply.buffer, reply.byteOffset + at, length));
          }
        },
        fail: (error) => this.destroy(error),
      });
    }
    done();
  }
}
