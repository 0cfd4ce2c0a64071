import type { Socket } from 'node:net';

export interface GateLimits {
  /** Messages of this connection that may be under way before no more is read of it. */
  outstanding: number;
  /** Bytes of one packet. */
  packetBytes: number;
}

/** The broker handles everything of a chunk at once, so a chunk must not hold many messages. */
const CHUNK_BYTES = 8192;

/** Stands between a socket and the broker, which itself reads on whatever is under way and keeps packets of any size. */
export interface Gate {
  packetBytes: number;
  enter(): void;
  leave(): void;
  /** Reads nothing any more. */
  shut(): void;
}

/**
 * The broker gets nothing to read while too much of this client is under way. The socket's buffer fills, and TCP slows
 * down whoever sends.
 */
export function gateReading(socket: Socket, limits: GateLimits, onTooLarge: () => void): Gate {
  const read = socket.read.bind(socket);
  const sizes = packetSizes();
  let outstanding = 0;
  let kept = false;
  let shut = false;
  const gate: Gate = {
    packetBytes: limits.packetBytes,
    enter() {
      outstanding += 1;
    },
    leave() {
      outstanding -= 1;
      if (!kept || outstanding >= limits.outstanding) return;
      kept = false;
      setImmediate(() => socket.emit('readable'));
    },
    shut() {
      shut = true;
    },
  };
  socket.read = (size?: number) => {
    // Zero asks the socket to fill its own buffer, which has its own limit.
    if (size === 0) return read(0);
    if (shut || outstanding >= limits.outstanding) {
      kept = true;
      return null;
    }
    const chunk: Buffer | null = read(Math.min(socket.readableLength, CHUNK_BYTES) || size);
    if (chunk && sizes(chunk) > gate.packetBytes) {
      shut = true;
      onTooLarge();
      return null;
    }
    // The socket only says that there is something to read when something new comes.
    if (socket.readableLength > 0) setImmediate(() => socket.emit('readable'));
    return chunk;
  };
  return gate;
}

/**
 * Follows a stream of MQTT packets by their lengths alone: one byte, then the length of the rest in up to four bytes of
 * seven bits, lowest first. Answers the longest packet that has begun in a chunk.
 */
export function packetSizes(): (chunk: Uint8Array) => number {
  let body = 0;
  /** Which byte of the header comes next: 0 is the kind of packet, 1 to 4 are the length. */
  let header = 0;
  let length = 0;
  return (chunk) => {
    let longest = 0;
    let at = 0;
    while (at < chunk.length) {
      if (body > 0) {
        const skipped = Math.min(body, chunk.length - at);
        body -= skipped;
        at += skipped;
        continue;
      }
      const byte = chunk[at] as number;
      at += 1;
      if (header === 0) {
        header = 1;
        length = 0;
        continue;
      }
      length += (byte & 0x7f) * 128 ** (header - 1);
      // A fifth byte would break the rules; the broker's parser says so itself.
      if (byte & 0x80 && header < 4) {
        header += 1;
        continue;
      }
      longest = Math.max(longest, length);
      body = length;
      header = 0;
    }
    return longest;
  };
}
