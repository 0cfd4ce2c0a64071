export { protocolName, readFrame } from './decoded-frame.ts';
export { frameFormatWords } from './frame-format.ts';
export { isUseless, readingLine } from './gateway-call.ts';
export { isRejected, problemText } from './rejected-device.ts';
