export interface Throttle {
  /** Requests a run of `work`. All requests made before the run starts share that run. */
  request: () => void;
  stop: () => void;
}

/**
 * Runs `work` on request, one run at a time, with a pause after each run. With a pause of one second, 2,000 alarms in
 * ten seconds cause about ten queries. The first run is delayed by the same pause, because a newly opened page has
 * current data.
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
