export { forgetThisDevice, installWorker } from './device.ts';
export { PushChoice } from './PushChoice.tsx';
