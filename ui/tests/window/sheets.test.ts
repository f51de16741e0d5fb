// Every page and dialog as pictures, for people to look at: light and dark, in both languages, in four windows.
// `cargo xtask screens --all` takes them; in the tests this is skipped.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, test } from 'vitest';

import { open, show } from './looks';
import { Page } from './page';
import { scenes } from './scenes';

const folder = process.env.SKILLTENDER_SHEETS;

/** The last is the first at a zoom of 200 %. */
const sizes = [[1280, 800], [900, 640], [1920, 1080], [640, 400]] as const;

/** Puts the pictures of a look on contact sheets of twelve. */
function sheets(look: string): void {
  const pictures = readdirSync(join(folder!, look)).sort();
  for (let first = 0; first < pictures.length; first += 12) {
    const some = pictures.slice(first, first + 12).map((name) => join(folder!, look, name));
    execFileSync('montage', ['-label', '%t', ...some, '-tile', '4x3', '-geometry', '480x>+4+4', '-background', '#888', join(folder!, `${look}-${first / 12 + 1}.png`)]);
  }
}

describe.skipIf(!folder)('pictures', () => {
  let page: Page;
  beforeAll(async () => void (page = await Page.start()));
  afterAll(async () => {
    await page.quit();
    for (const look of readdirSync(folder!, { withFileTypes: true }).filter((entry) => entry.isDirectory())) sheets(look.name);
  }, 600_000);

  test.each(scenes.map((scene, at) => [scene.name, scene, at] as const))('%s', { timeout: 120_000 }, async (name, scene, at) => {
    await page.resize(1280, 800);
    await open(page, scene);
    for (const [width, height] of sizes) {
      await page.resize(width, height);
      for (const theme of ['light', 'dark']) {
        for (const language of ['en', 'zh-CN']) {
          await show(page, theme, language);
          const place = join(folder!, `${width}x${height}-${theme}-${language}`);
          mkdirSync(place, { recursive: true });
          writeFileSync(join(place, `${String(at).padStart(2, '0')} ${name}.png`), await page.driver.takeScreenshot(), 'base64');
        }
      }
    }
  });
});
