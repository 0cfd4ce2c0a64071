import { Duplex } from 'node:stream';
import type { EmbeddedEngine } from './engine.ts';
import { concat, isTerminate } from './wire.ts';

const SLICE = 256 * 1024;

/**
 * Stands where node-postgres would open a socket. What it writes goes to the database's thread in one message, and the
 * answer comes back in one. With this, types, errors, notices and notifications are those of node-postgres itself.
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

  /** node-postgres corks the stream around the several messages of one query, so they arrive here together. */
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
    // A goodbye is for a server; the session here outlives the connection and is reset by the next one.
    if (!isTerminate(bytes)) {
      this.#engine.exchange(bytes, {
        // In slices, so that a reader that destroys the stream is spared the rest.
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
