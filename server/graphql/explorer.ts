/**
 * Script for the page on which developers can try out the API. The page sends the session cookie, so the script adds
 * the XSRF token.
 */
const PROVE = `
  const ask = globalThis.fetch;
  globalThis.fetch = (address, options) => {
    const isOwn = new URL(address, location.href).origin === location.origin;
    const token = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1];
    if (!isOwn || !token) return ask(address, options);
    const headers = new Headers(options?.headers);
    headers.set('X-XSRF-TOKEN', decodeURIComponent(token));
    return ask(address, { ...options, headers });
  };`;

export const explorer = {
  htmlParts: { headerScripts: (scripts: string) => `${scripts}<script>{${PROVE}}</script>` },
};
