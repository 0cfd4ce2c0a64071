import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = `http://localhost:${process.env.PORT ?? 8080}`;

export default defineConfig({
  root: 'web',
  cacheDir: '../node_modules/.vite',
  plugins: [react()],
  server: {
    proxy: {
      // Not all of /api: the console's own folder of that name is served under it as source.
      '/api/v1': server,
      '/graphql': { target: server, ws: true },
      '/healthz': server,
      // The short address in a message: the console's own pages have longer names.
      '^/a/': server,
    },
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    target: 'es2024',
    // Nothing is inlined as a data: address, so that the content security policy can stay at 'self'.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs changes seldom: a chunk of its own stays in the browser's cache over releases.
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
});
