/** What a data point or a sensor measures, by the number it is stored under; 2 is analog, 3 counts. */
export const DIGITAL = 1;

/** How a data point stands, by the number it is stored under; stale is one whose sensor has gone silent. */
export const NO_DATA = 0;
export const NORMAL = 1;
export const ALARM = 2;
export const STALE = 3;

/** The alarm condition of a digital channel of which neither state is an alarm; 0 is the low one, 1 the high one. */
export const NO_ALARM_STATE = 2;
