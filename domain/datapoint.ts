/** Stored type of a digital data point or sensor. Analog is 2, counter is 3. */
export const DIGITAL = 1;

/** Stored states of a data point. */
export const NO_DATA = 0;
export const NORMAL = 1;
export const ALARM = 2;
/** State of a data point whose sensor is silent. */
export const STALE = 3;

/** Alarm condition of a digital channel that has no alarm state. 0 is the low state, 1 the high state. */
export const NO_ALARM_STATE = 2;
