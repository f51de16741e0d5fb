import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The window's own content security policy forbids inline scripts and styles, so nothing is inlined.
// `--mode memory` builds the window on the in-memory backend, without Tauri.
export default defineConfig({
  plugins: [svelte()],
  clearScreen: false,
  server: { host: '127.0.0.1', port: 8364, strictPort: true },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['es2022', 'safari17.5', 'chrome123'],
    emptyOutDir: true,
  },
  test: { include: ['tests/**/*.test.ts'] },
});
