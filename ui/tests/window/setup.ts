// Builds the window with the in-memory backend, serves it with the app's content security policy, and starts
// WebKitGTK's driver for each worker, on a display of its own: a page has the keyboard on one display alone. The tests get
// all addresses.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the window. */
    window: string;
    /** For each worker the address of its WebKitWebDriver, and the display of its pages. */
    desktops: { driver: string; display: string }[];
  }
}

export default async function setup(project: TestProject) {
  if (!process.env.DISPLAY) throw new Error('The window tests need a display: xvfb-run -a npm test');
  const outDir = 'node_modules/.memory';
  await build({ mode: 'memory', logLevel: 'warn', build: { outDir } });
  const server = await preview({
    build: { outDir },
    preview: { host: '127.0.0.1', port: await freePort(), headers: { 'content-security-policy': policy() } },
  });
  const more = await Promise.all(Array.from({ length: project.vitest.config.maxWorkers - 1 }, startDisplay));
  const displays = [process.env.DISPLAY, ...more.map(({ DISPLAY }) => DISPLAY)];
  const drivers = await Promise.all(displays.map((DISPLAY) => startDriver({ DISPLAY })));

  project.provide('window', server.resolvedUrls!.local[0]!);
  project.provide('desktops', displays.map((display, at) => ({ driver: drivers[at]!.address, display })));
  return async () => {
    for (const { stop } of [...drivers, ...more]) stop();
    await server.close();
  };
}

/** One more display like that of the tests. */
async function startDisplay(): Promise<{ DISPLAY: string; stop: () => void }> {
  const words = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  const display: ChildProcess = spawn('Xvfb', words, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const failed = once(display, 'exit').then(() => Promise.reject(new Error('Xvfb did not start.')));
  const [number] = await Promise.race([once(display.stdio[3]!, 'data'), failed]);
  failed.catch(() => {});
  return { DISPLAY: `:${String(number).trim()}`, stop: () => void display.kill() };
}

/** WebKitGTK's driver; `env` makes it another desktop. */
export async function startDriver(env: Record<string, string> = {}): Promise<{ address: string; stop: () => void }> {
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'inherit',
    env: { ...process.env, WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1', ...env },
  });
  await listening(port);
  return { address: `http://127.0.0.1:${port}/`, stop: () => void driver.kill() };
}

/** The content security policy of the released window. */
function policy(): string {
  const config = JSON.parse(readFileSync(join(import.meta.dirname, '../../../src-tauri/tauri.conf.json'), 'utf8'));
  return Object.entries<string>(config.app.security.csp).map(([name, value]) => `${name} ${value}`).join('; ');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null);
    if (up?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver did not start.');
}
