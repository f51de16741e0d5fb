// How a scene looks: in light and dark, in each language, and in windows of several sizes.

import type { Page } from './page';
import type { Scene } from './scenes';

/** Opens a scene as for the first time. */
export async function open(page: Page, scene: Scene): Promise<void> {
  await page.run('localStorage.clear()').catch(() => {});
  await page.driver.get('about:blank');
  await page.open(scene.at);
  // What glides or blinks would be taken on its way.
  await page.run(`
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; caret-color: transparent !important }');
    document.adoptedStyleSheets.push(sheet);`);
  await scene.open(page);
  await page.drawn();
}

/** Shows the scene in another look. The consent window takes its language from what the main window left. */
export async function show(page: Page, theme: string, language: string): Promise<void> {
  await page.run(
    `
    document.documentElement.dataset.theme = arguments[0];
    localStorage.setItem('language', arguments[1]);
    dispatchEvent(new Event('storage'));
    void memory.setLanguage(arguments[1]);`,
    theme,
    language,
  );
  await page.until(language, async () => (await page.run('return document.documentElement.lang')) === language);
  await page.drawn();
}
