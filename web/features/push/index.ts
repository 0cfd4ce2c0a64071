export { installWorker, unsubscribeDevice } from './device.ts';
export { PushChoice } from './PushChoice.tsx';
