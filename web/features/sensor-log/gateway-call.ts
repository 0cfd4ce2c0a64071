import { problemOfBrought } from '../../../domain/frame/gateway-call.ts';
import {
  channelProblems,
  leftOut,
  problemOfValue,
  valueProblems,
  withoutLeftOut,
} from '../../../domain/frame/problem.ts';
import { counted } from '../../kit/format/number.ts';
import { type FrameLine, frameLine, lineText, type Reading } from './decoded-frame.ts';

/** What a gateway's call says in one line: its frames, each with what became of it. */
export interface CallLine {
  frames: { uid: string; line: FrameLine }[];
  /** What there is no room for, and what the log does not tell one by one. */
  more: string;
  useless: boolean;
}

type Brought = Reading['brings'];

/** A sentence of the log, and the uid it stands under. */
interface Told {
  uid: string;
  sentence: string;
}

const MOST_FRAMES = 8;
const MOST_VALUES = 4;

/** What became of each frame when the call arrived: the server's own word on it counts, which names the sensors. */
export function callLine({ brings }: Reading, problem: string | null): CallLine {
  const told = toldByUid(problem ?? '', brings);
  const fates = problem !== null && told.length === 0 ? withoutUids(problem, brings) : fatesOf(brings, told);
  const lines = brings.map(({ uid, reading }, index) => ({ uid, line: lineOf(reading, fates[index] ?? null) }));
  // Of very many the log tells the first few; what became of the frames after them is not claimed.
  const known = problem !== null && leftOut(problem) > 0 ? toldUntil(brings, told, fates) : lines.length;
  const frames = lines.slice(0, Math.min(known, MOST_FRAMES));
  const hidden = lines.slice(frames.length);
  const allTaken = known === lines.length && hidden.every(({ line }) => line.pairs.every(({ refused }) => !refused));
  const rest = frames.length > 0 ? `and ${counted(hidden.length, 'more frame')}` : counted(hidden.length, 'frame');
  const more = hidden.length > 0 ? `${rest}${allTaken ? '' : ', not all taken'}` : '';
  return { frames, more, useless: known === lines.length && lines.every(({ line }) => line.useless) };
}

/** What a frame or a gateway's call says, in one line of text. */
export function readingLine(reading: Reading, problem: string | null): string {
  if (reading.brings.length === 0) return lineText(frameLine(reading, problem));
  const { frames, more } = callLine(reading, problem);
  return [...frames.map(({ uid, line }) => `${uid}: ${lineText(line)}`), ...(more === '' ? [] : [more])].join('; ');
}

/** Whether nothing of it was of any use. */
export function isUseless(reading: Reading, problem: string | null): boolean {
  return (reading.brings.length === 0 ? frameLine(reading, problem) : callLine(reading, problem)).useless;
}

function lineOf(reading: Reading, fate: string | null): FrameLine {
  const line = frameLine(reading, fate, MOST_VALUES);
  if (line.pairs.length > 0 || line.besides.length > 0) return line;
  return { ...line, pairs: [{ text: 'no values', refused: 'not taken' }] };
}

/** Which sentence of the log is about which sensor. Each begins with its uid, at the start or after the end of another. */
function toldByUid(problem: string, brings: Brought): Told[] {
  const begins: { at: number; uid: string }[] = [];
  for (const uid of new Set(brings.map((one) => one.uid))) {
    const prefix = problemOfBrought(uid, '');
    for (let at = problem.indexOf(prefix); at >= 0; at = problem.indexOf(prefix, at + 1)) {
      if (at === 0 || problem.slice(at - 2, at) === '. ') begins.push({ at, uid });
    }
  }
  begins.sort((one, other) => one.at - other.at);
  return begins.map(({ at, uid }, index) => {
    const until = problem.slice(at, begins[index + 1]?.at).trimEnd();
    const text = index === begins.length - 1 ? withoutLeftOut(until) : until;
    return { uid, sentence: text.slice(problemOfBrought(uid, '').length) };
  });
}

/** Every sentence that there could be on values of a frame. */
function sentencesOn({ samples, refused }: Reading): string[] {
  return [
    ...refused.map((one) => problemOfValue(one.channel, one.because, one.sentence)),
    ...samples.flatMap(({ channel }) =>
      channelProblems.map((one) => problemOfValue(channel, one, valueProblems[one](channel))),
    ),
  ];
}

/** The problem of each frame; null where all of it was taken. */
function fatesOf(brings: Brought, told: readonly Told[]): (string | null)[] {
  const fates = brings.map(({ uid, reading }) => {
    const own = told.filter((one) => one.uid === uid).map(({ sentence }) => sentence);
    if (own.length === 0) return null;
    const possible = new Set(sentencesOn(reading));
    return reading.problem ?? (own.filter((sentence) => possible.has(sentence)).join(' ') || null);
  });
  // What no frame says itself is about the sensor. Too many at once are refused from the last on.
  for (const uid of new Set(told.map((one) => one.uid))) {
    const mine = brings.flatMap((one, index) => (one.uid === uid ? [index] : []));
    const own = new Set(mine.flatMap((at) => [...sentencesOn(brings[at]!.reading), brings[at]!.reading.problem ?? '']));
    const whole = told.filter((one) => one.uid === uid && !own.has(one.sentence));
    for (const [back, at] of mine.reverse().entries()) if (back < whole.length) fates[at] = whole[0]!.sentence;
  }
  return fates;
}

/** A sensor that sends its own list with its uid in each is no gateway: then the log is about values, also about that uid. */
function withoutUids(problem: string, brings: Brought): (string | null)[] {
  if (!problem.startsWith('uid: ')) return brings.map(() => problem);
  return brings.map(
    ({ reading }) =>
      sentencesOn(reading)
        .filter((one) => problem.includes(one))
        .join(' ') || null,
  );
}

/** How many frames, from the first on, the log has told all about. */
function toldUntil(brings: Brought, told: readonly Told[], fates: readonly (string | null)[]): number {
  let at = 0;
  for (const { uid } of told) while (at < brings.length && brings[at]!.uid !== uid) at += 1;
  const last = told.at(-1)?.sentence;
  const ofValue = at < brings.length && sentencesOn(brings[at]!.reading).some((one) => one === last);
  return fates[at] === last && !ofValue ? at + 1 : at;
}
