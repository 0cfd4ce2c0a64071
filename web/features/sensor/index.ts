export { createChannel, fetchChannels, sensorChannelsQuery } from './channel.queries.ts';
export { newChannel, sentOf } from './channel-values.ts';
export { curlCommand } from './examples.ts';
export { SensorPicker } from './SensorPicker.tsx';
export { fetchSensor, sensorQuery, uidSource } from './sensor.queries.ts';
export { choicesOf, sensorStatuses, sensorTypes } from './sensor-words.ts';
export { throughGateway } from './through-gateway.ts';
