import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = `http://localhost:${process.env.PORT ?? 8080}`;

export default defineConfig({
  root: 'web',
  cacheDir: '../node_modules/.vite',
  plugins: [react()],
  server: {
    proxy: {
      // Proxies only /api/v1, because the dev server serves the console's source folder api/ under /api.
      '/api/v1': server,
      '/graphql': { target: server, ws: true },
      '/healthz': server,
      // Short links in messages.
      '^/a/': server,
    },
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    target: 'es2024',
    // No data: URLs, so that the content security policy can stay at 'self'.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // By default, the bundler creates a chunk for every module that two pages share, and a page then loads a
          // hundred chunks. Each group contains its modules and their imports, except those in a group above it.
          groups: [
            // These packages rarely change, so browsers keep this chunk cached across releases.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 9 },
            { name: 'start', tags: ['$initial'], priority: 8 },
            { name: 'chart', test: /node_modules[\\/]uplot[\\/]/, priority: 7 },
            { name: 'password', test: /web[\\/]features[\\/]auth[\\/]/, priority: 6 },
            {
              name: 'shell',
              test: /web[\\/]routes[\\/]Frame\.tsx$|web[\\/]kit[\\/](session|page)[\\/]|react-icons[\\/]/,
              priority: 5,
            },
            {
              name: 'list',
              test: /web[\\/](kit[\\/](list|format|chart[\\/]ticks)|ui[\\/]table|features[\\/]maintenance[\\/](active\.queries|window-words))/,
              priority: 4,
            },
            { name: 'form', test: /web[\\/]kit[\\/]record[\\/]/, priority: 3 },
            // Excludes the rule editor and reports. Otherwise the lists of the admin area would load their texts too.
            {
              name: 'words',
              test: /domain[\\/](?!alarm[\\/]|sms\.ts|report[\\/](?!range|performance-targets))/,
              minShareCount: 2,
              priority: 2,
            },
            {
              name: 'editor',
              test: /features[\\/]rule[\\/]rule-(form|sentence)\.ts$|domain[\\/](alarm[\\/]|sms\.ts)/,
              priority: 1,
            },
            { name: 'report', test: /domain[\\/]report[\\/]/, minShareCount: 2, priority: 1 },
            // Small parts that many pages share. Each file costs a page a request, however small it is.
            { name: 'common', minShareCount: 8 },
          ],
        },
      },
    },
  },
});
