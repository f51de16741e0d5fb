// Every page and dialog of the window, and how a test gets there in English.

import { Key, type Page } from './page';

export interface Scene {
  name: string;
  /** The content of the in-memory backend. */
  at: string;
  open: (page: Page) => Promise<unknown>;
}

const click = (css: string) => async (page: Page) => (await page.find(css)).click();
const named = (name: string) => click(`[aria-label="${name}"]`);
const go = (title: string) => click(`nav [title="${title}"]`);
const press = (words: string) => (page: Page) => page.press(words);
const skill = (key: string, tab?: string) => async (page: Page) => {
  await page.openSkill(key);
  if (tab) await page.tab(tab);
};
const menu = (client: string, item: string) => [go('Clients'), named(`More for ${client}`), press(item)];
const typed = async (page: Page) => {
  await (await page.editor()).sendKeys('More. ');
};
const picked = async (page: Page) => {
  await page.find('[data-testid=skill-row]');
  await page.run(`document.querySelector('[data-testid=skill-row]').focus()`);
  await page.chord(Key.CONTROL, 'a');
};
const doing = (script: string) => (page: Page) => page.run(script);

const scene = (name: string, at: string, ...steps: ((page: Page) => Promise<unknown>)[]): Scene => ({
  name,
  at,
  open: async (page) => {
    for (const step of steps) await step(page);
  },
});

/** Skills as they are before they are switched on or imported: the first has something to look at. */
const trust = `
  const plain = { carried: { scripts: [], programs: [], archives: [], hosts: [], servers: [], tools: [], commands: [], files: 1, size: 900 }, findings: [], leftOut: [] };
  const odd = { ...plain, carried: { ...plain.carried, scripts: [{ language: 'shell', paths: ['scripts/sync.sh'] }], files: 2 },
    findings: [{ rule: 'download-and-run', severity: 'high', message: 'This downloads a program and runs it at once.', path: 'scripts/sync.sh', line: 2, column: 1 }] };
`;

const fromGit = [named('Add skills'), press('Add from git…')];
const written = (source: string) => async (page: Page) => {
  await (await page.find('#source-field')).sendKeys(source, Key.ENTER);
};

const team = (source: string) => [named('Add skills'), press('Join a team…'), async (page: Page) => (await page.find('#team-field')).sendKeys(source, Key.ENTER)];
const answered = [(page: Page) => page.find('.scrim, dialog'), doing('void memory.closeConsent()'), (page: Page) => page.find('dialog [data-testid=team-client]')];
const toTheEnd = doing(`const body = document.querySelector('.body'); body.scrollTop = body.scrollHeight`);

/** An update of two hundred files with long names. */
const manyFiles = `
  const plan = memory.planUpdate;
  memory.planUpdate = async (key) => {
    const one = await plan(key);
    const file = (n) => ({ ...one.files[0], path: 'references/2026/' + 'a-chapter-with-a-name-that-says-what-it-is-about-'.repeat(n % 3 + 1) + n + '.md', how: n % 5 ? 'changed' : 'added' });
    return { ...one, files: [...one.files, ...Array.from({ length: 199 }, (_, n) => file(n))] };
  };
`;

export const scenes: Scene[] = [
  scene('first run', '?first-run&clients', click('.fold-h, main')),
  scene('the change of a client in the first run', '?first-run&clients', click('[aria-label^="See the change for"]')),
  scene('the library being read', '?reading=3200'),
  scene('notices', '?harmful', doing(`memory.notices.push({ id: 'held:projects', message: 'Something in prompt-library looks as if it meant harm.' }, { id: 'other', message: 'Something is so.' }); memory.publish()`), click('[data-notice=other]')),
  scene('no skills', '?empty'),
  scene('skills', ''),
  scene('a search without results', '', doing(`document.querySelector('.list input').focus()`), (page) => page.keys('zzzz')),
  scene('picked skills', '', picked),
  scene('the menu of a skill', '', skill('claude/release-notes'), named('More for release-notes')),
  scene('a skill, read', '', skill('claude/release-notes')),
  scene('a skill, edited', '', skill('projects/quarterly-report', 'edit'), typed),
  scene('its files', '', skill('claude/pdf-forms', 'files')),
  scene('its needs', '?servers', skill('claude/release-notes', 'needs')),
  scene('needs in every state', '?servers', skill('team/ticket-triage', 'needs')),
  scene('needs without a keychain', '?servers&no-keychain', skill('claude/release-notes', 'needs')),
  scene('its problems', '', skill('projects/quarterly-report', 'problems')),
  scene('its clients', '', skill('projects/quarterly-report', 'clients')),
  scene('a held skill', '?harmful', skill('projects/prompt-library')),
  scene('a conflict', '', skill('claude/code-review', 'edit'), typed, doing(`memory.touch('claude/code-review', memory.textOf('claude/code-review') + '\\n')`), (page) => page.button('Compare…')),
  scene('a text that was kept', '', doing(`memory.keepVersion('claude/code-review', 'Another text', true)`), skill('claude/code-review'), press('Compare…')),
  scene('a vanished skill', '', skill('claude/code-review', 'edit'), typed, doing(`memory.trashSkill('claude/code-review')`), (page) => page.button('Save as a new skill…')),
  scene('the text of a vanished skill', '', skill('claude/code-review', 'edit'), typed, doing(`memory.trashSkill('claude/code-review')`), press('Save as a new skill…')),
  scene('servers', '?servers', go('Servers')),
  ...['figma', 'linear', 'sentry', 'filesystem'].flatMap((server) =>
    ['overview', 'tools', 'log', 'secrets', 'approval'].map((tab) => scene(`the ${tab} of ${server}`, '?servers', go('Servers'), click(`[data-server=${server}]`), click(`#tab-${tab}`))),
  ),
  scene('waiting for an answer', '?servers', go('Servers'), click('[data-server=linear]'), press('Review and approve…'), (page) => page.find('.scrim')),
  scene('clients', '?clients', go('Clients')),
  scene('the details of a client', '?clients&servers', go('Clients'), named('Details of Codex')),
  scene('clients with refused files', '?clients&refused', go('Clients'), named('Details of Claude Desktop')),
  scene('skills to move', '', picked, named('Move to another folder…')),
  scene('tags to change', '', picked, named('Change tags…'), doing(`document.querySelector('#tags-add').value = 'team'; document.querySelector('#tags-add').dispatchEvent(new InputEvent('input', { bubbles: true }))`), (page) => page.find('dialog .box')),
  scene('something dragged over', '', doing('memory.drag(true)')),
  scene('skills to export', '', picked, named('Export as zips…'), press('Choose a folder…')),
  scene('activity', '?connected', go('Activity')),
  scene('no activity', '', go('Activity')),
  scene('insight', '?usage&clients&servers', go('Insight')),
  scene('what was done about a verdict', '?usage&clients&servers', go('Insight'), press('Only what it lacks'), click('[data-testid=deed]')),
  scene('forgetting what was counted', '?usage&clients', go('Insight'), press('Forget everything')),
  scene('no insight', '', go('Insight')),
  scene('settings', '?clients', go('Settings'), doing(`document.querySelectorAll('.fold-h[aria-expanded=false]').forEach((each) => each.click())`)),
  scene('settings with a new version', '', go('Settings'), doing('memory.setUpdates(true)'), press('Look now')),
  scene('what others wrote', '', go('Settings'), press('Show them')),
  scene('the palette', '?servers&clients', doing('document.body.focus()'), (page) => page.chord(Key.CONTROL, 'k')),
  scene('a search in the palette', '?servers&clients', (page) => page.chord(Key.CONTROL, 'k'), (page) => page.keys('a')),
  scene('the shortcuts', '', (page) => page.keys(Key.F1)),
  scene('help', '', (page) => page.keys(Key.F1), press('Rules'), click('[data-testid=help] h3')),
  scene('quitting with edits', '', skill('claude/code-review', 'edit'), typed, doing(`memory.ask('person')`)),
  scene('looking at a skill', '?harmful', skill('projects/prompt-library'), press('Look at it…')),
  scene('a new skill', '', (page) => page.chord(Key.CONTROL, 'n')),
  scene('a copy of a skill', '', skill('claude/release-notes'), named('More for release-notes'), press('Duplicate…')),
  scene('an export', '', skill('claude/release-notes'), named('More for release-notes'), press('Export as a zip…')),
  scene('an import', '', doing(`memory.drop('/home/mei/Downloads/skills.zip')`)),
  scene('several imports', '', doing(`${trust} const look = memory.lookAtImport; memory.lookAtImport = async (path) => { const plan = await look(path); return { ...plan, skills: [0, 1, 2].map((n) => ({ ...plan.skills[0], path: 'skills/s' + n, id: 's' + n, trust: n ? plain : odd })), refused: [{ path: 'skills/broken', why: 'It has 812 files, and 512 are the most.' }] } }; memory.drop('/home/mei/Downloads/skills.zip')`), click('dialog [data-testid=finding]')),
  scene('a repository, asked for', '', ...fromGit),
  scene('a repository that is fetched', '', doing('memory.lookAtSource = () => new Promise(() => {})'), ...fromGit, written('acme/skills')),
  scene('a repository with skills', '', ...fromGit, written('acme/skills'), (page) => page.find('dialog .choice')),
  scene('a repository with one skill', '', ...fromGit, written('acme/skills#main@changelog'), click('dialog dl')),
  scene('a repository that is not there', '', ...fromGit, written('acme/nothing'), click('dialog [role=alert]')),
  scene('a repository with a team’s file', '', ...fromGit, written('acme/team'), (page) => page.find('dialog .note')),
  scene('a team, asked for', '', named('Add skills'), press('Join a team…')),
  scene('a team that is fetched', '?team=hangs', ...team('acme/team')),
  scene('a team that refuses', '', doing(`memory.lookAtTeam = async () => { throw { kind: 'refused', message: "The team's policy refuses the server shop: it fetches @acme/shop without a fixed version.", hints: [] } }`), ...team('acme/team'), click('dialog [role=alert]')),
  scene('a team’s file that is not there', '', ...team('/home/mei/none'), click('dialog [role=alert]')),
  scene('a team that is asked about', '?clients', ...team('acme/team'), (page) => page.find('dialog footer .primary')),
  scene('what is left of a team', '?team=joined&clients&connected', ...team('acme/team'), ...answered),
  scene('a team, joined', '?team=done&clients&connected', ...team('acme/team'), ...answered),
  scene('a skill from a repository', '?sources', skill('own/api-review')),
  scene('an update that can do more', '?sources', skill('own/incident-report'), press('Update available'), click('dialog [data-testid=file-change]')),
  scene('an update with questions', '?sources', skill('own/api-review'), press('Update available'), click('dialog [data-conflict] label')),
  scene('an update of a moved tag', '?sources', doing(`memory.show({ place: 'skill', key: 'own/sql-style' })`), press('Update available'), click('dialog .review .note')),
  scene('several updates', '?sources', press('Review…'), click('dialog .review')),
  scene('an update of many files', '?sources', doing(manyFiles), skill('own/changelog'), press('Update available'), click('dialog .review')),
  scene('an update that cannot be looked at', '?sources', doing(`memory.planUpdate = () => memory.lookAtSource('acme/skills-that-went-away')`), doing(`memory.show({ place: 'skill', key: 'own/sql-style' })`), press('Update available'), click('dialog [role=alert]')),
  scene('no updates', '?sources=added', (page) => page.chord(Key.CONTROL, 'k'), (page) => page.keys('Updates of', Key.ENTER), (page) => page.button('Look for updates')),
  scene('the versions of a skill', '?sources', skill('own/changelog'), named('More for changelog'), press('Versions…'), (page) => page.button('Go back…')),
  scene('a skill that another program installed', '?sources', skill('projects/postmortem'), (page) => page.find('[data-testid=managed] button')),
  scene('sources in the settings', '?sources', go('Settings'), press('2 skills were installed by other programs'), named('Forget where they came from: beta/sql-style · v1'), doing(`document.getElementById('sources').scrollIntoView()`)),
  scene('settings without sources', '', go('Settings'), doing(`document.getElementById('sources').scrollIntoView()`)),
  scene('going back', '?sources', skill('own/changelog'), named('More for changelog'), press('Versions…'), press('Go back…'), click('dialog .review')),
  scene('a pull', '?servers', go('Settings'), named('More for ~/team/skills'), press('Pull…'), click('dialog .review')),
  scene('a commit', '?servers', go('Settings'), named('More for ~/team/skills'), press('Commit and push…'), click('dialog .review')),
  scene('a shared folder', '?servers', go('Settings'), doing(`document.querySelector('[data-testid=work-tree]').scrollIntoView({ block: 'center' })`), named('More for ~/team/skills')),
  scene('switches of another machine', '?servers', doing(`const plan = memory.planPull; memory.planPull = async (folder) => { const made = await plan(folder); const stays = 'It stays off here until you have looked at what it carries.'; return { ...made, commits: 0, skills: [], others: [], notes: ['skills/.skilltender/9c0d11aa2b3e.yaml is left out and stays as it is: line 3, column 5: a key is there twice.'], switches: [...made.switches, { ...made.switches[0], how: 'on', skill: 'sprint-plan', stays }] }; }`), go('Settings'), named('More for ~/team/skills'), press('Pull…'), click('dialog [data-testid=switches] li')),
  scene('the repositories of skills', '?sources', go('Settings'), doing(`document.querySelector('#sources').scrollIntoView()`)),
  scene('enabling several skills', '', doing(`${trust} memory.lookAtReady = async () => (await memory.current()).skills.slice(0, 6).map((skill, n) => ({ key: skill.key, digest: '1', asks: true, unseen: false, trust: n ? plain : odd }))`), named('Add skills'), press('Add folder…'), press('Add folder'), click('dialog [data-testid=finding]')),
  scene('a new folder', '', named('Add skills'), press('Add folder…')),
  scene('a set', '', go('Settings'), press('New set…')),
  scene('what a client sees', '?clients', go('Clients'), named('Details of Codex'), press('Change…')),
  scene('the tools of a client', '?servers&connected', go('Clients'), named('Details of Claude Desktop'), doing(`memory.setToolMode('claude-desktop', 'on-demand')`), named('Change the tools of Claude Desktop')),
  scene('adding to a client', '?running', go('Clients'), named('Add to Claude Desktop')),
  scene('adding to a refused client', '?refused', doing(`memory.show({ place: 'client', id: 'claude-desktop' })`)),
  scene('removing from a client', '?clients', ...menu('Codex', 'Remove…')),
  scene('a changed entry', '?clients', go('Clients'), named('See the change in VS Code')),
  scene('an entry that was taken out', '?clients', doing(`const drift = memory.readDrift; memory.readDrift = async (...given) => ({ ...(await drift(...given)), theirs: null })`), go('Clients'), named('See the change in VS Code')),
  scene('a new access key', '?clients', ...menu('Windsurf', 'Replace the access key…')),
  scene('our entry', '?clients', ...menu('Cursor', 'Copy our entry…')),
  scene('a client by its file', '?clients', go('Clients'), press('Add another…')),
  scene('the servers that others added', '?clients', go('Clients'), doing(`[...document.querySelectorAll('button')].find((each) => each.textContent.includes('that others added')).click()`)),
  scene('moving secrets', '?clients', go('Clients'), named('Move to the keychain: the secrets in Claude Code’s file')),
  scene('the checkup', '', go('Clients'), press('Check everything')),
  scene('skills in a folder', '?clients', go('Clients'), named('Details of Codex'), named('Change the skills in ~/.agents/skills')),
  scene('asking about a team', '?#team/1', (page) => page.find('[data-testid=team-skill]')),
  scene('asking about a large team', '?team=many#team/1', (page) => page.find('[data-testid=team-skill]')),
  scene('the end of a large team', '?team=many#team/1', (page) => page.find('[data-testid=team-skill]'), toTheEnd),
  scene('asking about a team that is not honest', '?team=hostile#team/1', (page) => page.find('[data-testid=team-skill]')),
  scene('what only the person knows', '?team=missing#team/1', (page) => page.find('#team-missing input')),
  scene('much that only the person knows', '?team=many#team/1', (page) => page.find('[data-testid=team-skill]'), toTheEnd, press('Join, and let these servers run'), (page) => page.find('#team-missing input')),
  ...['linear', 'figma', 'github'].map((server) => scene(`asking about ${server}`, `?servers#consent/${server}`, click('body'))),
];
