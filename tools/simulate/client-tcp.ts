import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type DeviceClient, type DeviceClientOptions, failed, type Outcome, outcomeOf, TIMEOUT_MS } from './client.ts';

/**
 * Creates a logger that signs in once per connection. The logger then sends one line per frame and reads one line as
 * the response.
 */
export function createTcpClient({ uid, token, address, timeoutMs = TIMEOUT_MS }: DeviceClientOptions): DeviceClient {
  let line: Line | undefined;

  /** Connects and signs in if necessary. Returns undefined on success, or the outcome if the sign-in was refused. */
  const open = async (): Promise<Outcome | undefined> => {
    if (line?.isOpen) {
      return undefined;
    }
    line = new Line(address);
    const outcome = read(await line.ask(Buffer.from(`${uid} ${token}`), timeoutMs));
    if (outcome.kind === 'accepted') {
      return undefined;
    }
    line.close();
    return outcome;
  };

  return {
    async send(body) {
      try {
        return (await open()) ?? read(await (line as Line).ask(body, timeoutMs));
      } catch (error) {
        line?.close();
        return failed(error);
      }
    },
    async close() {
      line?.close();
    },
  };
}

class Line {
  readonly #socket: Socket;
  #waiting: ((answer: string | Error) => void) | undefined;

  constructor(address: URL) {
    this.#socket = connect({
      host: address.hostname.replace(/^\[|\]$/g, ''),
      port: Number(address.port),
      noDelay: true,
    });
    this.#socket.on('error', (error) => this.#answer(error));
    this.#socket.on('close', () => this.#answer(new Error('The server closed the connection.')));
    createInterface({ input: this.#socket })
      // A line that responds to no request is ignored, such as the server's last line before it closes the connection.
      .on('line', (text) => this.#answer(text))
      // The reader emits the socket's error a second time. Without a listener, this error would end the process.
      .on('error', () => {});
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  ask(body: Uint8Array, timeoutMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#answer(new Error('The server is not responding.')), timeoutMs);
      this.#waiting = (answer) => {
        clearTimeout(timer);
        if (typeof answer === 'string') {
          resolve(answer);
        } else {
          this.close();
          reject(answer);
        }
      };
      this.#socket.write(Buffer.concat([body, Buffer.from('\n')]));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #answer(answer: string | Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(answer);
  }
}

function read(answer: string): Outcome {
  const [word, second = '', ...rest] = answer.trim().split(' ');
  if (word === 'OK') {
    return { kind: 'accepted', commands: [] };
  }
  if (word === 'CMD') {
    return { kind: 'accepted', commands: [{ id: Number(second), text: rest.join(' ') }] };
  }
  return outcomeOf(word === 'ERR' ? second : 'not an answer of this protocol');
}
