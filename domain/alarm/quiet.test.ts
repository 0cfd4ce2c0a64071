import { describe, expect, test } from 'vitest';
import { quietEnded, quietReasons, quietResolution, quietSentence, stillOpenText } from './quiet.ts';

const cause = '"Mains power" at Mill';
const dependency = { because: 'dependency', words: { cause } } as const;

describe('a consequence', () => {
  test('names its cause when it opens', () => {
    expect(quietSentence(dependency)).toBe(`Nobody was notified, because it is a consequence of ${cause}.`);
  });

  test('names the cause that ended, to people and in the timeline', () => {
    expect(stillOpenText('dependency', 'Flow too low', cause)).toBe(`Still open after ${cause} ended. Flow too low`);
    expect(quietEnded('dependency', undefined, cause)).toEqual({
      kind: 'dependency-ended',
      sentence: `${cause} ended. The alarm is still open, so its recipients are notified.`,
    });
    expect(quietEnded('dependency', undefined, 'the silence of Mill').sentence).toMatch(
      /^The silence of Mill ended\. /,
    );
  });

  test('names the next cause if another one is in alarm', () => {
    const { sentence } = quietEnded('dependency', dependency, 'the silence of Lock');
    expect(sentence).toBe(
      `The silence of Lock ended. Nobody is notified yet, because it is a consequence of ${cause}.`,
    );
  });

  test('has a sentence without the name of its cause', () => {
    expect(stillOpenText('dependency', 'Flow too low')).toBe('Still open after its cause ended. Flow too low');
  });
});

test.each(quietReasons)(
  'an alarm that resolves while it is quiet because of %s says why nobody was notified',
  (reason) => {
    expect(quietResolution(reason)).toMatch(/^Nobody was notified of the resolution, because .+\.$/);
  },
);
