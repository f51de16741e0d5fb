import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// The window's own content security policy forbids inline scripts and styles, so nothing is inlined.
// `--mode memory` builds the window on the in-memory backend, without Tauri.
export default defineConfig({
  plugins: [svelte()],
  clearScreen: false,
  server: { host: '127.0.0.1', port: 8364, strictPort: true, fs: { allow: ['..'] } },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['safari17.5', 'chrome123'],
    emptyOutDir: true,
  },
  // Said aloud because the tests would else get what Svelte makes for a server.
  resolve: { conditions: [...defaultClientConditions] },
  test: {
    // Each page is drawn by programs of its own, which take more than one processor.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'parts', include: ['tests/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'window',
          // WebKitGTK is the engine that ships on Linux, and the only one that can be driven there.
          include: process.platform === 'linux' ? ['tests/window/*.test.ts'] : [],
          globalSetup: 'tests/window/setup.ts',
          testTimeout: 60_000,
          // The engine draws and resizes beside the page, at its own time: what fails twice is broken, and a second try is told.
          retry: 1,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
