const UID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

/** Whether a sensor can be called so. Whatever stands in addresses, topics and lines of text has to be plain. */
export function isValidUid(text: string): boolean {
  return UID.test(text);
}
