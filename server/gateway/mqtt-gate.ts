import type { Socket } from 'node:net';

export interface GateLimits {
  /** Maximum number of messages in progress on one connection. When it is reached, reading pauses. */
  outstanding: number;
  packetBytes: number;
}

/**
 * Maximum number of bytes per read. It limits the messages that the broker handles at once, because the broker handles
 * a whole chunk.
 */
const CHUNK_BYTES = 8192;

/** Limits how much the broker reads from a socket. The broker itself has no back-pressure and no packet limit. */
export interface Gate {
  packetBytes: number;
  enter(): void;
  leave(): void;
  /** Stops reading permanently. */
  shut(): void;
}

/**
 * Pauses reading while too many messages of this client are in progress. The socket's buffer then fills up, and TCP
 * slows down the client.
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
    // `read(0)` fills only the socket's own buffer, which has a limit.
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
    // The socket emits `readable` only for new data. This event makes the broker read the rest of the buffer.
    if (socket.readableLength > 0) setImmediate(() => socket.emit('readable'));
    return chunk;
  };
  return gate;
}

/**
 * Returns a function that tracks packet boundaries in a stream of MQTT chunks. A header is one type byte and a length
 * of up to four bytes with seven bits each, lowest bits first. The function returns the length of the longest packet
 * that begins in the chunk.
 */
export function packetSizes(): (chunk: Uint8Array) => number {
  let body = 0;
  /** Index of the next header byte: 0 is the packet type, 1 to 4 are the length. */
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
      // A fifth length byte is invalid. The broker's parser reports the error.
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
