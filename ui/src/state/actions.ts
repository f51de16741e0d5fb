// All actions, each defined once: the menus, the palette and the keys use them.

import type { MenuItem } from '../controls/menu';
import { languages, names } from '../speech.svelte';
import { t } from '../text';
import type { SkillOrigin, SkillRow } from '../backend/types';
import type { App } from './app.svelte';
import { helpTitle, offered } from './help';

const mac = navigator.platform.startsWith('Mac');

/** Keys as people read them on this computer. */
export const keys = (letter: string): string => (mac ? `⌘ ${letter}` : `Ctrl ${letter}`);

/** The actions on one skill, in groups. */
export function actionsOn(app: App, skill: SkillRow): MenuItem[][] {
  const { name, key } = skill;
  const broken = skill.problems.error + skill.problems.warning > 0;
  return [
    [
      ...(broken ? [{ id: 'fix', label: t('action.fix'), icon: 'check' as const, run: () => app.tending.fix(skill) }] : []),
      skill.enabled
        ? { id: 'disable', label: t('action.disable'), icon: 'pause', run: () => app.tending.enable([skill], false) }
        : { id: 'enable', label: t('action.enable'), icon: 'play', run: () => app.tending.enable([skill], true) },
      { id: 'edit', label: t('action.edit'), icon: 'edit', run: () => app.openSkill(key, 'edit') },
      { id: 'show', label: t('skill.showInFolder'), icon: 'open', run: () => app.act(app.backend.showInFolder(key)) },
    ],
    [
      { id: 'duplicate', label: t('action.duplicate'), icon: 'copy', run: () => (app.dialog = { kind: 'duplicate', key, name }) },
      { id: 'tags', label: t('action.tags'), icon: 'tag', run: () => (app.dialog = { kind: 'tags', skills: [skill] }) },
      { id: 'move', label: t('action.move'), icon: 'folder', run: () => (app.dialog = { kind: 'move', skills: [skill] }) },
      { id: 'export', label: t('action.export'), icon: 'export', run: () => (app.dialog = { kind: 'export', key, name }) },
    ],
    ...(skill.origin ? [fromItsSource(app, skill, skill.origin)] : []),
    [{ id: 'trash', label: t('action.trash'), icon: 'trash', keys: t('keys.delete'), danger: true, run: () => app.tending.trash([skill]) }],
  ];
}

/** What can be done with a skill that came from a source. */
function fromItsSource(app: App, { key, name }: SkillRow, { newer }: SkillOrigin): MenuItem[] {
  return [
    ...(newer ? [{ id: 'update', label: t('action.update'), icon: 'import' as const, run: () => (app.dialog = { kind: 'updates', keys: [key] }) }] : []),
    { id: 'versions', label: t('action.versions'), icon: 'undo', run: () => (app.dialog = { kind: 'versions', key, name }) },
  ];
}

/** The ways to add a skill to the library. */
export function waysIn(app: App): MenuItem[][] {
  return [
    [{ id: 'new', label: t('action.new'), icon: 'plus', keys: keys('N'), run: () => (app.dialog = { kind: 'new' }) }],
    [
      { id: 'import-folder', label: t('action.importFolder'), icon: 'import', run: () => app.tending.importFrom(app.backend.chooseFolder()) },
      { id: 'import-zip', label: t('action.importZip'), icon: 'import', run: () => app.tending.importFrom(app.backend.chooseZip()) },
      { id: 'source', label: t('action.source'), icon: 'import', run: () => (app.dialog = { kind: 'source' }) },
      { id: 'team', label: t('action.team'), icon: 'import', run: () => (app.dialog = { kind: 'team' }) },
    ],
    [{ id: 'add-folder', label: t('folder.add'), icon: 'folder', run: () => app.tending.addFolder() }],
  ];
}

/** The actions that work everywhere. */
export function actionsAnywhere(app: App): MenuItem[] {
  const paused = app.snapshot?.endpoint.state.state === 'paused';
  const to = (place: App['place']) => () => app.go(place);
  return [
    ...waysIn(app).flat(),
    { id: 'attention', label: t('action.attention'), icon: 'search', run: () => app.show({ place: 'needs' }) },
    { id: 'look', label: t('action.readAgain'), icon: 'restart', keys: keys('R'), run: () => app.readAgain(t('action.wasRead')) },
    ...(app.sources.rows.length ? [{ id: 'updates', label: t('action.updates'), icon: 'import' as const, run: () => (app.dialog = { kind: 'updates', keys: null }) }] : []),
    { id: 'checkup', label: t('checkup.ask'), icon: 'activity', run: () => (app.dialog = { kind: 'checkup' }) },
    { id: 'pause', label: paused ? t('endpoint.resume') : t('endpoint.pause'), icon: paused ? 'play' : 'pause', run: () => app.act(app.backend.pause(!paused)) },
    { id: 'skills', label: t('nav.skills'), icon: 'skills', keys: keys('1'), run: to('skills') },
    { id: 'servers', label: t('nav.servers'), icon: 'servers', keys: keys('2'), run: to('servers') },
    { id: 'clients', label: t('nav.clients'), icon: 'clients', keys: keys('3'), run: to('clients') },
    { id: 'activity', label: t('nav.activity'), icon: 'activity', keys: keys('4'), run: to('activity') },
    { id: 'insight', label: t('nav.insight'), icon: 'insight', keys: keys('5'), run: to('insight') },
    { id: 'settings', label: t('nav.settings'), icon: 'settings', keys: keys(','), run: to('settings') },
    ...toLanguages(app),
    { id: 'shortcuts', label: t('shortcuts.title'), icon: 'info', keys: 'F1', run: () => (app.shortcuts = true) },
    ...offered.map((page): MenuItem => ({ id: `help-${page}`, label: t('help.named', { page: helpTitle(page) }), icon: 'info', run: () => (app.dialog = { kind: 'help', page }) })),
    { id: 'quit', label: t('tray.quit'), icon: 'quit', keys: keys('Q'), run: () => app.act(app.backend.quit()) },
  ];
}

/** The languages besides the chosen one. */
function toLanguages(app: App): MenuItem[] {
  const chosen = app.snapshot?.settings.language.chosen ?? null;
  const all = [null, ...languages].filter((tag) => tag !== chosen);
  return all.map((tag) => ({ id: `language-${tag}`, label: t('settings.languageNamed', { name: tag ? names[tag] : t('settings.languageSystem') }), icon: 'settings', run: () => app.act(app.backend.setLanguage(tag)) }));
}

/** The actions on the open skill, labelled with its name, for places where it is not visible. */
export function actionsNamed(app: App, skill: SkillRow): MenuItem[] {
  return actionsOn(app, skill)
    .flat()
    .map((action) => ({ ...action, id: `${action.id}-this`, label: t('action.named', { action: action.label.replace(/…$/, ''), name: skill.name }) }));
}
