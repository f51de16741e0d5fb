// What the capabilities grant to each window.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

// The approval of a program has its own window: a script in the main one cannot approve. A pin approves nothing: the
// question is asked again with it.
test('only the window that asks may agree to a server, and it may do nothing else', () => {
  const granted = (window: string): string[] => JSON.parse(read(`../src-tauri/capabilities/${window}.json`)).permissions;
  const answers = ['allow-approve-server', 'allow-approve-tools', 'allow-join-team'];
  // The values that a yes to a team is to are typed where it is given.
  const ofTeam = ['allow-team-asked', 'allow-set-secret', 'allow-set-value', 'allow-open-link'];
  const others = ['allow-close-consent', 'allow-fit-consent', 'allow-look-for-programs', 'allow-offer-version', 'allow-pin-server', 'allow-plan-server', 'allow-read-server', 'allow-show-as'];
  expect(granted('consent').toSorted()).toEqual([...answers, ...ofTeam, ...others].toSorted());
  expect(granted('main').filter((permission) => answers.includes(permission))).toEqual([]);
});
