import type { Socket } from 'node:net';

export interface GateLimits {
  /** Messages of this connection that may be in progress before reading pauses. */
  outstanding: number;
  /** Bytes of one packet. */
  packetBytes: number;
}

/** Chunk size. The broker handles all messages of a chunk at once. */
const CHUNK_BYTES = 8192;

/** Limits what the broker reads from a socket. The broker itself has no back-pressure and no packet limit. */
export interface Gate {
  packetBytes: number;
  enter(): void;
  leave(): void;
  /** Stops reading. */
  shut(): void;
}

/**
 * Pauses reading while too many messages of this client are in progress. The socket's buffer fills, and TCP slows down the
 * client.
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
    // Zero makes the socket fill its own buffer, which has its own limit.
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
    // The socket emits `readable` only for new data.
    if (socket.readableLength > 0) setImmediate(() => socket.emit('readable'));
    return chunk;
  };
  return gate;
}

/**
 * Follows a stream of MQTT packets by their lengths: one type byte, then up to four bytes of seven bits, lowest first. Returns
 * the longest packet that begins in the chunk.
 */
export function packetSizes(): (chunk: Uint8Array) => number {
  let body = 0;
  /** Next header byte: 0 is the packet type, 1 to 4 are the length. */
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
      // A fifth length byte is invalid; the broker's parser reports it.
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
