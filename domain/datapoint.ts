/** What a data point or a sensor measures, by the number it is stored under; 2 is analog, 3 counts. */
export const DIGITAL = 1;

/** How a data point stands, by the number it is stored under; 1 is normal, and stale is one whose sensor has gone silent. */
export const NO_DATA = 0;
export const ALARM = 2;
export const STALE = 3;
