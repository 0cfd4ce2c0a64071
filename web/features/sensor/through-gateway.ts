/** The gateway of a sensor's last data, and its time; null without one, or if the sensor sent a frame itself since. */
export function throughGateway(
  sensor: { lastContact: string | null; gateway: { uid: string } | null } | undefined,
  frame: { dateTime: string } | null | undefined,
): { gateway: string; at: string } | null {
  if (!sensor?.gateway || sensor.lastContact === null) return null;
  if (frame && Date.parse(frame.dateTime) >= Date.parse(sensor.lastContact)) return null;
  return { gateway: sensor.gateway.uid, at: sensor.lastContact };
}
