import { createStore } from '../../../ui/store.ts';

const CHOICE = 'tocsin-alarm-sound';
const HEARD = 'tocsin-alarm-heard';

/** Storage can be forbidden by the browser; the page then remembers until it is closed. */
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
    // Nothing is lost but the memory of it.
  }
}

/** Whether a new alarm makes a sound in this browser. */
export const soundIsOn = createStore(read(CHOICE) !== 'off');

export function chooseSound(on: boolean): void {
  write(CHOICE, on ? 'on' : 'off');
  soundIsOn.set(on);
}

/** Several tabs of one browser sound once. */
export const heard = {
  get: () => Number(read(HEARD)) || 0,
  set: (newest: number) => write(HEARD, String(newest)),
};

let context: AudioContext | undefined;
/** Strokes that have not ended. */
let sounding = 0;

/** One that is awake keeps the device's sound at work, also while nothing is to be heard. */
function restWhenSilent(): void {
  if (sounding === 0) void context?.suspend().catch(() => undefined);
}

/** Browsers let a page sound only after somebody has touched it; the first touch makes ready for later. */
export function readyAtFirstTouch(): () => void {
  const ready = () => {
    context ??= new AudioContext();
    void context.resume().then(restWhenSilent, () => undefined);
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

const strike = { first: 880, second: 659 };
const LOUDNESS = 0.18;

/** Two strokes of a small bell. Nothing happens on a page that nobody has touched yet. */
export function ring(): void {
  if (context === undefined) {
    return;
  }
  void context.resume().catch(() => undefined);
  stroke(context, strike.first, 0);
  stroke(context, strike.second, 0.22);
}

function stroke(on: AudioContext, frequency: number, after: number): void {
  const begin = on.currentTime + after;
  const tone = on.createOscillator();
  const loudness = on.createGain();
  tone.type = 'triangle';
  tone.frequency.value = frequency;
  loudness.gain.setValueAtTime(0.0001, begin);
  loudness.gain.exponentialRampToValueAtTime(LOUDNESS, begin + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, begin + 0.7);
  tone.connect(loudness).connect(on.destination);
  sounding += 1;
  tone.onended = () => {
    sounding -= 1;
    restWhenSilent();
  };
  tone.start(begin);
  tone.stop(begin + 0.75);
}
