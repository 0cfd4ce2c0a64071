const UID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

/** Whether the text is a valid uid: safe in URLs, MQTT topics and text lines. */
export function isValidUid(text: string): boolean {
  return UID.test(text);
}
