export { createChannel, fetchChannels, sensorChannelsQuery } from './channel.queries.ts';
export { newChannel, sentOf } from './channel-values.ts';
export { curlCommand } from './examples.ts';
export { NewToken } from './NewToken.tsx';
export { isNewSensor, registerChosen } from './new-sensor.ts';
export { SensorPicker } from './SensorPicker.tsx';
export { type Credentials, fetchSensor, sensorQuery, sensorSource, uidSource } from './sensor.queries.ts';
export { choicesOf, sensorStatuses, sensorTypes } from './sensor-words.ts';
export { throughGateway } from './through-gateway.ts';
