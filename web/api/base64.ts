/** Standard base64 of the text's UTF-8 bytes, as the password calls expect it. Not encryption; TLS protects it. */
export function base64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary);
}
