// Runs before the first paint, so that a dark room never sees a white flash. The key is the one theme.ts hands to Mantine.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('tocsin-theme');
  } catch {
    // Storage can be forbidden by the browser; the system's theme is then the answer.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // The colour of the bar above the page is that of the header, also where the choice is not the system's.
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.content = dark ? '#181c20' : '#fbfcfc';
  }
})();
