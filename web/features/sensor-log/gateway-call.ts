import { forwardedProblemText } from '../../../domain/frame/gateway-call.ts';
import {
  channelProblems,
  omittedCount,
  valueProblems,
  valueProblemText,
  withoutOmittedCount,
} from '../../../domain/frame/problem.ts';
import { counted } from '../../kit/format/number.ts';
import { type FrameLine, frameLine, lineText, type Reading } from './decoded-frame.ts';

/** Summary of a gateway's call: the frames in it, each with its result. */
export interface CallLine {
  frames: { uid: string; line: FrameLine }[];
  /** Text about the frames that are not shown. These include frames whose result the log does not contain. */
  more: string;
  useless: boolean;
}

type Brought = Reading['brings'];

/** Problem that the log reports about one sensor of a call. */
interface SensorProblem {
  uid: string;
  sentence: string;
}

const MOST_FRAMES = 8;
const MOST_VALUES = 4;

/** Summarizes a gateway's call with the results that the server recorded for each sensor when it arrived. */
export function callLine({ brings }: Reading, problem: string | null): CallLine {
  const reported = problemsByUid(problem ?? '', brings);
  const problems =
    problem !== null && reported.length === 0 ? withoutUids(problem, brings) : problemsOf(brings, reported);
  const lines = brings.map(({ uid, reading }, index) => ({ uid, line: lineOf(reading, problems[index] ?? null) }));
  // The log contains only the first problems, so the results of later frames are unknown.
  const known =
    problem !== null && omittedCount(problem) > 0 ? countKnownFrames(brings, reported, problems) : lines.length;
  const frames = lines.slice(0, Math.min(known, MOST_FRAMES));
  const hidden = lines.slice(frames.length);
  const allTaken = known === lines.length && hidden.every(({ line }) => line.pairs.every(({ refused }) => !refused));
  const rest = frames.length > 0 ? `and ${counted(hidden.length, 'more frame')}` : counted(hidden.length, 'frame');
  const more = hidden.length > 0 ? `${rest}${allTaken ? '' : ', not all stored'}` : '';
  return { frames, more, useless: known === lines.length && lines.every(({ line }) => line.useless) };
}

/** Returns a frame or a gateway's call as one line of text. */
export function readingLine(reading: Reading, problem: string | null): string {
  if (reading.brings.length === 0) return lineText(frameLine(reading, problem));
  const { frames, more } = callLine(reading, problem);
  return [...frames.map(({ uid, line }) => `${uid}: ${lineText(line)}`), ...(more === '' ? [] : [more])].join('; ');
}

/** Returns true if nothing from the frame or call was stored. */
export function isUseless(reading: Reading, problem: string | null): boolean {
  return (reading.brings.length === 0 ? frameLine(reading, problem) : callLine(reading, problem)).useless;
}

function lineOf(reading: Reading, problem: string | null): FrameLine {
  const line = frameLine(reading, problem, MOST_VALUES);
  if (line.pairs.length > 0 || line.besides.length > 0) return line;
  return { ...line, pairs: [{ text: 'no values', refused: 'not stored' }] };
}

/** Splits the problem text of a log entry into one entry for each sensor. Each sensor's part starts with its uid. */
function problemsByUid(problem: string, brings: Brought): SensorProblem[] {
  const begins: { at: number; uid: string }[] = [];
  for (const uid of new Set(brings.map((one) => one.uid))) {
    const prefix = forwardedProblemText(uid, '');
    for (let at = problem.indexOf(prefix); at >= 0; at = problem.indexOf(prefix, at + 1)) {
      if (at === 0 || problem.slice(at - 2, at) === '. ') begins.push({ at, uid });
    }
  }
  begins.sort((one, other) => one.at - other.at);
  return begins.map(({ at, uid }, index) => {
    const until = problem.slice(at, begins[index + 1]?.at).trimEnd();
    const text = index === begins.length - 1 ? withoutOmittedCount(until) : until;
    return { uid, sentence: text.slice(forwardedProblemText(uid, '').length) };
  });
}

/** Returns all problem texts about values of this frame that the log may contain. */
function sentencesOn({ samples, refused }: Reading): string[] {
  return [
    ...refused.map((one) => valueProblemText(one.channel, one.because, one.sentence)),
    ...samples.flatMap(({ channel }) =>
      channelProblems.map((one) => valueProblemText(channel, one, valueProblems[one](channel))),
    ),
  ];
}

/** Returns the problem of each frame; null if the whole frame was accepted. */
function problemsOf(brings: Brought, reported: readonly SensorProblem[]): (string | null)[] {
  const problems = brings.map(({ uid, reading }) => {
    const own = reported.filter((one) => one.uid === uid).map(({ sentence }) => sentence);
    if (own.length === 0) return null;
    const possible = new Set(sentencesOn(reading));
    return reading.problem ?? (own.filter((sentence) => possible.has(sentence)).join(' ') || null);
  });
  // A problem that matches no value concerns the sensor as a whole, for example if it sent too many frames. The server
  // refuses the sensor's last frames, so the problem is assigned to these.
  for (const uid of new Set(reported.map((one) => one.uid))) {
    const mine = brings.flatMap((one, index) => (one.uid === uid ? [index] : []));
    const own = new Set(mine.flatMap((at) => [...sentencesOn(brings[at]!.reading), brings[at]!.reading.problem ?? '']));
    const whole = reported.filter((one) => one.uid === uid && !own.has(one.sentence));
    for (const [back, at] of mine.reverse().entries()) if (back < whole.length) problems[at] = whole[0]!.sentence;
  }
  return problems;
}

/**
 * Returns the problem of each frame if the problem text contains no uids. This happens if a sensor that is not a
 * gateway sends a list of frames with its own uid. The server then reads `uid` as a channel, so the text starts with
 * `uid: `.
 */
function withoutUids(problem: string, brings: Brought): (string | null)[] {
  if (!problem.startsWith('uid: ')) return brings.map(() => problem);
  return brings.map(
    ({ reading }) =>
      sentencesOn(reading)
        .filter((one) => problem.includes(one))
        .join(' ') || null,
  );
}

/** Returns the number of frames at the start of the call whose results are completely recorded in the log. */
function countKnownFrames(
  brings: Brought,
  reported: readonly SensorProblem[],
  problems: readonly (string | null)[],
): number {
  let at = 0;
  for (const { uid } of reported) while (at < brings.length && brings[at]!.uid !== uid) at += 1;
  const last = reported.at(-1)?.sentence;
  const ofValue = at < brings.length && sentencesOn(brings[at]!.reading).some((one) => one === last);
  return problems[at] === last && !ofValue ? at + 1 : at;
}
