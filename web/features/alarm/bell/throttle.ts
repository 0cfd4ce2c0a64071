export interface Throttle {
  /** Requests a run. All requests before a run starts share that run. */
  request: () => void;
  stop: () => void;
}

/**
 * Runs `work` on request, one run at a time and with a pause after each: 2,000 alarms in ten seconds cause ten queries, not
 * 2,000. It starts with a pause, because a page that has just opened has just loaded its data.
 */
export function createThrottle(work: () => Promise<unknown>, pause: (done: () => void) => () => void): Throttle {
  let isRequested = false;
  let isIdle = false;
  let stopped = false;
  let cancelPause = pause(ready);

  function ready(): void {
    isIdle = true;
    if (isRequested) run();
  }

  function run(): void {
    isRequested = false;
    isIdle = false;
    void work()
      .catch(() => undefined)
      .then(() => {
        if (!stopped) cancelPause = pause(ready);
      });
  }

  return {
    request() {
      isRequested = true;
      if (isIdle && !stopped) run();
    },
    stop() {
      stopped = true;
      cancelPause();
    },
  };
}
