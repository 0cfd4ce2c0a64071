import type { Socket } from 'node:net';
import type { Answer, Device, Intake, Refusal } from '../pipeline/intake.ts';
import { tooLarge } from '../pipeline/refusals.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countAnswer, countVisitor, meaningOf, noteRefusal, sentenceOf } from './answers.ts';
import type { Presence, Visitor } from './presence.ts';
import type { TcpLimits } from './tcp-limits.ts';
import { introducesItself, introductionOf, isBlankLine, type Line, LineCutter } from './tcp-lines.ts';

interface ConnectionDeps {
  intake: Intake;
  log: Log;
  metrics: Metrics;
  presence: Presence;
  limits: TcpLimits;
}

/** An incomplete line at the end of the input. */
interface Unended {
  half: Line;
}

/** Reserved place for the response to one line. It keeps the responses in the order of the lines. */
interface Place {
  answer?: string;
  /** True if the connection closes after this response. */
  last?: boolean;
}

/**
 * One TCP connection of a device. Lines are passed to the intake immediately, so that they share a commit. Responses
 * are sent in the order of the lines.
 */
export class TcpConnection {
  readonly #socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #cutter: LineCutter;
  readonly #places: Place[] = [];
  #lines: (Line | Unended)[] = [];
  #visitor: Visitor | undefined;
  /** Slot of the line whose sensor is being looked up. Later lines wait for the end of this lookup. */
  #identifying: Place | undefined;
  /** True after a permanent refusal. The connection closes after its response, and later lines are rejected. */
  #refused = false;
  #inputEnded = false;
  #ending = false;
  #unidentified = 0;
  #silence: NodeJS.Timeout;
  #known = false;
  #slow: NodeJS.Timeout | undefined;

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#cutter = new LineCutter(deps.limits.lineBytes);
    this.#silence = setTimeout(() => this.#drop('silent'), deps.limits.helloMs);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.#endInput());
    socket.on('drain', () => this.#go());
    // Network errors need no handling, because frames that the intake has received are still stored.
    socket.on('error', () => {});
    socket.once('close', () => this.#left());
  }

  /** Stops reading, responds to all pending lines and closes the connection. */
  finish(): void {
    this.#lines = [];
    this.#inputEnded = true;
    this.#go();
  }

  #read(chunk: Buffer): void {
    if (this.#ending || this.#refused || this.#inputEnded) return;
    const lines = this.#cutter.push(chunk);
    this.#watch(lines.length > 0);
    for (const line of lines) if (line === undefined || !isBlankLine(line)) this.#lines.push(line);
    this.#go();
  }

  #endInput(): void {
    if (!this.#inputEnded && this.#cutter.pending) {
      const half = this.#cutter.rest();
      if (!half || !isBlankLine(half)) this.#lines.push({ half });
    }
    this.#inputEnded = true;
    this.#watch(true);
    this.#go();
  }

  /** Processes the waiting lines. Resumes reading when no line waits. */
  #go(): void {
    if (this.#ending) return;
    while (
      this.#lines.length > 0 &&
      this.#places.length < this.#deps.limits.outstanding &&
      !this.#identifying &&
      !this.#socket.writableNeedDrain
    ) {
      this.#start(this.#lines.shift());
    }
    if (this.#lines.length > 0 || this.#socket.writableNeedDrain) this.#socket.pause();
    else if (this.#inputEnded && this.#places.length === 0) this.#end();
    else this.#socket.resume();
  }

  #start(line: Line | Unended): void {
    const place: Place = {};
    this.#places.push(place);
    this.#answerTo(line, place)
      .catch((error: Error) => {
        this.#deps.log.error('a frame could not be accepted', {
          protocol: 'tcp',
          uid: this.#visitor?.device.uid,
          error,
        });
        this.#deps.metrics.count('tocsin_frames_total', { protocol: 'tcp', outcome: 'failed' });
        return 'ERR failed The server could not process the frame because of an internal error. Send the frame again.';
      })
      .then((answer) => {
        place.answer = answer;
        this.#write();
        this.#go();
      });
  }

  #answerTo(line: Line | Unended, place: Place): Promise<string> {
    if (line && 'half' in line) return Promise.resolve(this.#refuseHalf(line));
    if (line === undefined) {
      const refusal = tooLarge(this.#deps.limits.lineBytes);
      if (this.#visitor) noteRefusal(this.#deps.intake, 'tcp', this.#visitor.device, refusal);
      countAnswer(this.#deps.metrics, 'tcp', refusal);
      return Promise.resolve(this.#refuse(refusal));
    }
    // A line with uid and token is never treated as a bare frame, even after sign-in. Otherwise it would be stored for
    // the wrong sensor, with a token in the log.
    return this.#visitor && !introducesItself(line)
      ? this.#take(this.#visitor.device, line, place)
      : this.#identify(line, place);
  }

  /** Refuses an incomplete line, because a truncated number would be stored as a wrong value. */
  #refuseHalf({ half }: Unended): string {
    const sentence =
      'The connection closed in the middle of a line, so the line was rejected. End every line with a newline.';
    const who = this.#visitor?.device ?? { uid: half ? introductionOf(half).uid : '' };
    this.#deps.intake.noteRejection(who, { protocol: 'tcp', because: 'half-a-line', sentence });
    return `ERR half-a-line ${sentence}`;
  }

  /** Handles a line that begins with uid and token. */
  async #identify(line: Buffer, place: Place): Promise<string> {
    const { intake, metrics } = this.#deps;
    const { uid, token, frame } = introductionOf(line);
    const hello = token !== '' && frame.length === 0;
    this.#identifying = place;
    try {
      if (token === '') {
        const sentence = 'Begin the line with the uid and the token: <uid> <token> <frame>.';
        this.#countUnidentified('no-token', place);
        intake.noteRejection({ uid }, { protocol: 'tcp', because: 'no-token', sentence });
        return `ERR no-token ${sentence}`;
      }
      const who = await intake.identify(uid, token);
      if (!who.ok) {
        // A wrong token ends the connection. After an unknown uid the connection stays open for other devices.
        if (meaningOf(who.because).status === 401) place.last = true;
        this.#countUnidentified(who.because, place);
        noteRefusal(intake, 'tcp', { uid, token }, who);
        return this.#refuse(who);
      }
      this.#unidentified = 0;
      this.#heard();
      if (!hello) {
        // Later lines can continue now: the sender is known, even though this line is not stored yet.
        this.#identifying = undefined;
        this.#go();
        return await this.#take(who, frame, place);
      }
      countVisitor(metrics, 'tcp', 'signed-in');
      if (!this.#socket.destroyed) this.#stay(who, token);
      return 'OK';
    } finally {
      // The lookup for a later line may already be running. Its slot must not be cleared.
      if (this.#identifying === place) this.#identifying = undefined;
      if (place.last) this.#refused = true;
      if (this.#refused) this.#lines = [];
    }
  }

  async #take(device: Device, frame: Buffer, place: Place): Promise<string> {
    const { intake, metrics } = this.#deps;
    // A response is one line and has room for one command. Further commands follow with later responses.
    const answer: Answer = await intake.receive(device, { protocol: 'tcp', body: frame, commands: 1 });
    countAnswer(metrics, 'tcp', answer);
    if (!answer.ok) {
      noteRefusal(intake, 'tcp', device, answer);
      const { kind, status } = meaningOf(answer.because);
      if (kind === 'frame') this.#heard();
      if (status === 401) place.last = true;
      return this.#refuse(answer);
    }
    this.#heard();
    const command = answer.commands[0];
    return command ? `CMD ${command.id} ${oneLine(command.text)}` : 'OK';
  }

  #stay(device: Device, token: string): void {
    if (this.#visitor) this.#deps.presence.remove(this.#visitor);
    this.#visitor = { device, token, leave: (why) => this.#sendAway(why) };
    this.#deps.presence.add(this.#visitor);
  }

  #sendAway(why: Refusal | 'replaced'): void {
    countVisitor(this.#deps.metrics, 'tcp', why === 'replaced' ? why : `cut-${why.because}`);
    if (why !== 'replaced' && this.#visitor) noteRefusal(this.#deps.intake, 'tcp', this.#visitor.device, why);
    this.#lines = [];
    this.#places.push({
      answer:
        why === 'replaced' ? 'ERR replaced Another connection of this device replaced this one.' : this.#refuse(why),
      last: true,
    });
    this.#write();
  }

  #countUnidentified(because: string, place: Place): void {
    countVisitor(this.#deps.metrics, 'tcp', because);
    this.#unidentified += 1;
    if (this.#unidentified >= this.#deps.limits.unidentifiedLines) place.last = true;
  }

  #refuse(refusal: Refusal): string {
    return `ERR ${refusal.because} ${oneLine(sentenceOf(refusal))}`;
  }

  #write(): void {
    let text = '';
    let last = false;
    while (!last && this.#places[0]?.answer !== undefined) {
      const place = this.#places.shift() as Place;
      text += `${place.answer}\n`;
      last = place.last ?? false;
    }
    if (text === '' || this.#socket.destroyed || this.#ending) return;
    this.#socket.write(text);
    this.#watch(false);
    if (last) this.#end();
  }

  #end(): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#lines = [];
    this.#socket.end();
    // Reads and discards further input, so that the device receives the response instead of a connection reset.
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), this.#deps.limits.lingerMs).unref();
  }

  /**
   * Restarts the idle time limit after a line of a known device. The first such line replaces the sign-in time limit.
   */
  #heard(): void {
    if (this.#known) {
      this.#silence.refresh();
      return;
    }
    clearTimeout(this.#silence);
    if (this.#socket.destroyed) return;
    this.#known = true;
    this.#silence = setTimeout(() => this.#drop('idle'), this.#deps.limits.idleMs);
  }

  /** Limits the time in which a device must complete a line or read the responses. */
  #watch(lineEnded: boolean): void {
    const waits = (this.#cutter.pending && !this.#inputEnded) || this.#socket.writableNeedDrain;
    if (this.#slow && (lineEnded || !waits)) {
      clearTimeout(this.#slow);
      this.#slow = undefined;
    }
    if (waits && !this.#socket.destroyed) this.#slow ??= setTimeout(() => this.#drop('slow'), this.#deps.limits.slowMs);
  }

  #drop(why: 'silent' | 'idle' | 'slow'): void {
    countVisitor(this.#deps.metrics, 'tcp', why);
    this.#socket.destroy();
  }

  #left(): void {
    this.#ending = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#slow);
    if (this.#visitor) this.#deps.presence.remove(this.#visitor);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}
