// The question about a server, and what the person is shown.

import { expect, test } from 'vitest';

import { askedOf, changedLines, fateLine, partsOf, plainWords } from '../src/state/consent';
import type { Consent, ConsentForm } from '../src/backend/types';

const form: ConsentForm = {
  command: ['npx', '-y', 'a@1.2.3', 'two\u2423words'], program: '/usr/bin/npx', real: null, folder: '~/x', url: null, files: [], held: null, skills: ['tea (~/tea)'],
  values: [{ name: 'MODE', value: 'fast', secret: null }, { name: 'Authorization', value: null, secret: 'Bearer TOKEN' }],
};
const consent = (before: ConsentForm | null, changed: Consent['changed'] = []): Consent => ({ server: 'a', digest: '1', now: form, before, changed, source: null, reach: 'person', fetches: null, unpinned: [], archived: null, redirects: [], inherited: [] });

test.each<[string, ConsentForm | null, string]>([
  ['nothing was agreed to before', null, 'first'],
  ['the same was', form, 'nothing'],
  ['the same was, for more skills', { ...form, skills: [...form.skills, 'cups (~/cups)'] }, 'nothing'],
  ['the same was, for another skill', { ...form, skills: ['cups (~/cups)'] }, 'wider'],
  ['another argument was', { ...form, command: ['npx', '-y', 'a@1.2.2'] }, 'change'],
  ['another program of the same name was', { ...form, program: '/tmp/npx' }, 'change'],
  ['another value was', { ...form, values: [] }, 'change'],
])('when %s', (_, before, asked) => expect(askedOf(consent(before))).toBe(asked));

test('a file that is another one is a change, whatever the form looks like, and it is named', () => {
  const changed = [{ place: '~/tea/helper.py', fate: 'changed' as const }];
  expect(askedOf(consent(form, changed))).toBe('change');
  expect(changed.map(fateLine)).toEqual(['Changed: ~/tea/helper.py']);
});

test('plain words say with whose rights it runs, what is fetched, and where a well-known server is from', () => {
  expect(plainWords(consent(null))).toEqual(['It runs with your rights: it can read and change whatever you can, and use the network.']);
  const known: Consent = { ...consent(null), reach: 'elsewhere', fetches: { by: 'npx', what: 'a@1' }, source: 'https://a.example' };
  expect(plainWords(known).slice(1).map((line) => /npx fetches a@1|https:\/\/a\.example$/.test(line))).toEqual([true, true]);
});

test('the whole folder of a skill is one line, and what cannot be read another', () => {
  const held = { place: '~/tea', files: 3, unread: 2 };
  expect(partsOf({ ...form, held }, null).find(({ id }) => id === 'held')?.now).toEqual([
    '~/tea: its 5 files (except Markdown), as they are now',
    '2 of them are too many or too large to read: they ask again when they look different',
  ]);
});

test('every part that holds something is shown, whole', () => {
  expect(partsOf(form, null).map(({ id, now }) => [id, now])).toEqual([
    ['command', form.command],
    ['program', ['/usr/bin/npx']],
    ['folder', ['~/x']],
    ['values', ['MODE=fast', 'Authorization from your keychain: Bearer TOKEN']],
    ['skills', ['tea (~/tea)']],
  ]);
});

test('a part that is gone is shown too, and arguments are counted behind the program', () => {
  const parts = partsOf({ ...form, files: [], command: ['npx', '-y', 'a@2'] }, { ...form, files: ['~/tea/run.py'] });
  expect(changedLines(parts.find((part) => part.id === 'files')!)).toEqual([{ sign: 'removed', number: 0, text: '~/tea/run.py' }]);
  expect(changedLines(parts[0]!)).toEqual([
    { sign: 'same', number: 0, text: 'npx' },
    { sign: 'same', number: 1, text: '-y' },
    { sign: 'removed', number: 2, text: 'a@1.2.3' },
    { sign: 'removed', number: 3, text: 'two\u2423words' },
    { sign: 'added', number: 2, text: 'a@2' },
  ]);
});
