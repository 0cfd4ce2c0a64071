// Runs before the first paint, to avoid a white flash in dark mode. The key is the same as in theme.ts.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('tocsin-theme');
  } catch {
    // If storage is blocked, the system's theme applies.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // Sets the browser bar to the header's colour, even if the chosen theme differs from the system's.
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.content = dark ? '#181c20' : '#fbfcfc';
  }
})();
