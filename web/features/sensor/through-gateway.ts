/**
 * Returns the gateway that forwarded the sensor's newest data, with the time. Returns null if the sensor has no
 * gateway, or if it sent the newest data itself.
 */
export function throughGateway(
  sensor: { lastContact: string | null; gateway: { uid: string } | null } | undefined,
  frame: { dateTime: string } | null | undefined,
): { gateway: string; at: string } | null {
  if (!sensor?.gateway || sensor.lastContact === null) return null;
  if (frame && Date.parse(frame.dateTime) >= Date.parse(sensor.lastContact)) return null;
  return { gateway: sensor.gateway.uid, at: sensor.lastContact };
}
