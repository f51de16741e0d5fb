import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { skill } from './support/library.js';
import { Session, app, until } from './support/session.js';

let session;

before(async () => {
  session = await Session.open();
  session.write('.claude/skills/tea/SKILL.md', skill('tea'));
});

after(() => session?.end());

test('without a display the same engine runs in the terminal, says so and says how to connect', async () => {
  const { DISPLAY, WAYLAND_DISPLAY, ...environment } = session.environment;
  const terminal = session.spawn(app, [], { env: environment });
  let said = '';
  for (const stream of [terminal.stdout, terminal.stderr]) stream.on('data', (part) => (said += part));
  await until(() => said.includes('Ctrl-C stops it'), 'the endpoint is named');
  assert.match(said, /There is no display here/);
  assert.match(said, /http:\/\/127\.0\.0\.1:\d+\/mcp/);
  terminal.kill('SIGINT');
  await until(() => terminal.exitCode !== null, 'Ctrl-C ends it');
  assert.equal(terminal.exitCode, 0);
});
