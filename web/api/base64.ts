/**
 * Encodes the UTF-8 bytes of the text as standard base64, for passwords in requests. Base64 does not protect the
 * passwords; only TLS does.
 */
export function base64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary);
}
