const UID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

/** Returns whether the text is a valid uid, which is safe in URLs, MQTT topics and text lines. */
export function isValidUid(text: string): boolean {
  return UID.test(text);
}
