export interface Throttle {
  /** Asks for the work to be done. However often it is asked, it is done once for all that asked before it began. */
  ask: () => void;
  stop: () => void;
}

/**
 * Does some work whenever it is asked for, but never twice at once and with a rest after each time: two thousand alarms in
 * ten seconds are ten questions to the server and not two thousand. It begins at rest, because a page that has just opened
 * has just asked.
 */
export function createThrottle(work: () => Promise<unknown>, rest: (done: () => void) => () => void): Throttle {
  let asked = false;
  let free = false;
  let stopped = false;
  let cancel = rest(ready);

  function ready(): void {
    free = true;
    if (asked) begin();
  }

  function begin(): void {
    asked = false;
    free = false;
    void work()
      .catch(() => undefined)
      .then(() => {
        if (!stopped) cancel = rest(ready);
      });
  }

  return {
    ask() {
      asked = true;
      if (free && !stopped) begin();
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
