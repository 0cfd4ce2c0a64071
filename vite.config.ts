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
          // Left to itself the bundler makes a file of every part that two pages share, and a page asks for a hundred of
          // them. Each group takes what it names and whatever that needs, unless a group above it has taken it already.
          groups: [
            // What every page needs changes seldom: a chunk of its own stays in the browser's cache over releases.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 9 },
            { name: 'start', tags: ['$initial'], priority: 8 },
            { name: 'chart', test: /node_modules[\\/]uplot[\\/]/, priority: 7 },
            { name: 'password', test: /web[\\/]features[\\/]auth[\\/]/, priority: 6 },
            {
              name: 'shell',
              test: /web[\\/]routes[\\/]Frame\.tsx$|web[\\/]kit[\\/](session|page)[\\/]|react-icons[\\/]/,
              priority: 5,
            },
            { name: 'list', test: /web[\\/](kit[\\/](list|format)|ui[\\/]table)[\\/]/, priority: 4 },
            { name: 'form', test: /web[\\/]kit[\\/]record[\\/]/, priority: 3 },
            { name: 'words', test: /domain[\\/]/, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
