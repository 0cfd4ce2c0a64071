import type { Rehearsed } from './plan.queries.ts';

export interface Mark {
  at: number;
  /** Position in the drawing, from 0 to 1. */
  place: number;
  methods: readonly number[];
}

export interface PersonLine {
  uuid: string;
  name: string;
  /** Why the person is notified: the rotas, or the first step that names them. */
  because: string;
  problems: readonly string[];
  marks: Mark[];
  messages: number;
}

export interface StepSpan {
  step: number;
  at: number;
  from: number;
  until: number;
}

export interface RehearsalShape {
  people: PersonLine[];
  spans: StepSpan[];
  messages: number;
  /** Time of the last notification; the opening if there is none. */
  last: number;
  methods: { method: number; messages: number }[];
}

/** Arranges a rehearsal as one line for each person, on a common axis of time. */
export function shapeOf({ at, notifications, gaps }: Rehearsed): RehearsalShape {
  const start = Date.parse(at);
  const begins = new Map<number, number>();
  for (const round of [...notifications, ...gaps]) {
    const time = Date.parse(round.at);
    begins.set(round.step, Math.min(begins.get(round.step) ?? time, time));
  }
  const last = Math.max(start, ...notifications.map((one) => Date.parse(one.at)));
  // Leaves room for the last mark.
  const whole = Math.max((last - start) * 1.15, 60_000);
  const place = (time: number) => (time - start) / whole;
  const steps = [...begins].sort(([a], [b]) => a - b);
  const people = new Map<string, PersonLine>();
  const methods = new Map<number, number>();
  for (const { personUuid, personName, onCallFor, step, methodTypes, problems, ...round } of notifications) {
    const time = Date.parse(round.at);
    const line = people.get(personUuid) ?? {
      ...{ uuid: personUuid, name: personName, problems, marks: [], messages: 0 },
      because: onCallFor === null ? `Named in step ${step}` : `On call for ${onCallFor}`,
    };
    if (methodTypes.length > 0) line.marks.push({ at: time, place: place(time), methods: methodTypes });
    line.messages += methodTypes.length;
    for (const method of methodTypes) methods.set(method, (methods.get(method) ?? 0) + 1);
    people.set(personUuid, line);
  }
  return {
    people: [...people.values()],
    spans: steps.map(([step, time], index) => {
      const next = steps[index + 1];
      return { step, at: time, from: place(time), until: next ? place(next[1]) : 1 };
    }),
    messages: [...people.values()].reduce((sum, { messages }) => sum + messages, 0),
    last,
    methods: [...methods]
      .map(([method, messages]) => ({ method, messages }))
      .sort((one, other) => other.messages - one.messages || one.method - other.method),
  };
}
