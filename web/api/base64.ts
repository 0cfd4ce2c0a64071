/** Standard base64 of the text's UTF-8 bytes, the form in which passwords travel. It hides nothing; TLS does. */
export function base64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary);
}
