import { createStore } from '../../../ui/store.ts';

const CHOICE = 'tocsin-alarm-sound';
const HEARD = 'tocsin-alarm-heard';

/** Reads a value from local storage. Returns null if it is missing or the browser blocks storage. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // If the browser blocks storage, the sound setting lasts only until the page is closed.
  }
}

/** True if new alarms play a sound in this browser. */
export const soundIsOn = createStore(read(CHOICE) !== 'off');

export function chooseSound(on: boolean): void {
  write(CHOICE, on ? 'on' : 'off');
  soundIsOn.set(on);
}

/** Creation time of the newest alarm for which any tab of this browser has played the sound. */
export const lastSounded = {
  get: () => Number(read(HEARD)) || 0,
  set: (newest: number) => write(HEARD, String(newest)),
};

let context: AudioContext | undefined;
/** Number of tones that are currently playing. */
let playingTones = 0;

/** Suspends the audio context when no tone is playing, because a running context keeps the sound hardware on. */
function suspendWhenSilent(): void {
  if (playingTones === 0) void context?.suspend().catch(() => undefined);
}

/**
 * Creates the audio context at the first click or key press, because browsers play sound only after a user gesture.
 * Returns a function that removes the listeners.
 */
export function unlockAtFirstGesture(): () => void {
  const ready = () => {
    context ??= new AudioContext();
    void context.resume().then(suspendWhenSilent, () => undefined);
    stop();
  };
  const stop = () => {
    window.removeEventListener('pointerdown', ready);
    window.removeEventListener('keydown', ready);
  };
  window.addEventListener('pointerdown', ready);
  window.addEventListener('keydown', ready);
  return stop;
}

const frequencies = { first: 880, second: 659 };
const LOUDNESS = 0.18;

/** Plays two tones. Does nothing before the first user gesture. */
export function playAlarmSound(): void {
  if (context === undefined) {
    return;
  }
  void context.resume().catch(() => undefined);
  playTone(context, frequencies.first, 0);
  playTone(context, frequencies.second, 0.22);
}

function playTone(on: AudioContext, frequency: number, after: number): void {
  const begin = on.currentTime + after;
  const tone = on.createOscillator();
  const loudness = on.createGain();
  tone.type = 'triangle';
  tone.frequency.value = frequency;
  loudness.gain.setValueAtTime(0.0001, begin);
  loudness.gain.exponentialRampToValueAtTime(LOUDNESS, begin + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, begin + 0.7);
  tone.connect(loudness).connect(on.destination);
  playingTones += 1;
  tone.onended = () => {
    playingTones -= 1;
    suspendWhenSilent();
  };
  tone.start(begin);
  tone.stop(begin + 0.75);
}
