import { beforeEach, describe, expect, test, vi } from 'vitest';

import { memory, type MemoryBackend } from '../src/backend/memory';
import { Draft } from '../src/state/draft.svelte';

const key = 'projects/quarterly-report';
let backend: MemoryBackend;
let draft: Draft;

beforeEach(async () => {
  backend = memory();
  draft = new Draft(backend, await backend.readSkill(key));
});

const elsewhere = async (text: string) => {
  backend.touch(key, text);
  draft.onDisk(await backend.readSkill(key));
};

test('saving sends only what changed, and the file then holds the draft', async () => {
  const save = vi.spyOn(backend, 'saveSkill');
  draft.typed(draft.text.replace('0.3.0', '0.4.0'));
  expect(await draft.save()).toBe(true);
  expect(save.mock.calls[0]![2]).toEqual([{ from: expect.any(Number), to: expect.any(Number), insert: '4' }]);
  expect(backend.textOf(key)).toBe(draft.text);
  expect(draft.unsaved).toBe(false);
});

test('what is typed while saving stays unsaved', async () => {
  draft.typed(`${draft.text}one\n`);
  const saving = draft.save();
  draft.typed(`${draft.text}two\n`);
  await saving;
  expect(draft.unsaved).toBe(true);
  expect(backend.textOf(key)).not.toContain('two');
  await draft.save();
  expect(backend.textOf(key)).toBe(draft.text);
});

test('without unsaved edits it follows the file on disk', async () => {
  await elsewhere('---\nname: x\n---\nnew\n');
  expect(draft.text).toContain('new');
  expect(draft.conflict).toBeNull();
});

test('with the same text on disk there is nothing to choose', async () => {
  draft.typed('same\n');
  await elsewhere('same\n');
  expect(draft.conflict).toBeNull();
  expect(draft.unsaved).toBe(false);
});

test('a fix is applied to the text, and the text is checked again', async () => {
  vi.useFakeTimers();
  draft.change(draft.problems.find((problem) => problem.rule === 'unknown-key')!.fix!.splices);
  expect(draft.text).toContain('\nlicense: MIT');
  await vi.advanceTimersByTimeAsync(300);
  expect(draft.problems.map((problem) => problem.rule)).toEqual(['description-missing']);
  expect(draft.checked).toBe(draft.text);
  vi.useRealTimers();
});

test('an open editor makes the changes itself', () => {
  const editor = vi.fn();
  const detach = draft.attach(editor);
  draft.typed(`${draft.text}more\n`);
  draft.revert();
  expect(editor).toHaveBeenCalledOnce();
  detach();
  draft.revert();
  expect(draft.unsaved).toBe(false);
});

describe('when the file changes under unsaved edits', () => {
  const theirs = '---\nname: theirs\n---\n';

  beforeEach(async () => {
    draft.typed('mine\n');
    await elsewhere(theirs);
  });

  test('both versions stay and saving waits', async () => {
    expect(draft.text).toBe('mine\n');
    expect(draft.conflict?.text).toBe(theirs);
    expect(await draft.save()).toBe(false);
    expect(backend.textOf(key)).toBe(theirs);
  });

  test('using the file on disk puts ours aside', async () => {
    await draft.useDisk();
    expect(backend.kept.map(({ text }) => text)).toEqual(['mine\n']);
    expect(draft.text).toBe(theirs);
    expect(draft.unsaved).toBe(false);
  });

  test('keeping ours puts theirs aside, and saving writes ours', async () => {
    await draft.keepMine();
    expect(backend.kept.map(({ text }) => text)).toEqual([theirs]);
    expect(await draft.save()).toBe(true);
    expect(backend.textOf(key)).toBe('mine\n');
  });
});

test('a save that meets a changed file becomes a choice', async () => {
  draft.typed('mine\n');
  backend.touch(key, 'theirs\n');
  expect(await draft.save()).toBe(false);
  expect(draft.conflict?.text).toBe('theirs\n');
  expect(backend.textOf(key)).toBe('theirs\n');
});

describe('a kept text that one goes on with', () => {
  const offered = async () => Promise.all((await backend.keptVersions(key)).map(({ moment }) => backend.readKept(key, moment)));

  beforeEach(async () => {
    await backend.keepVersion(key, 'kept\n', true);
    const [{ moment } = { moment: 0 }] = await backend.keptVersions(key);
    await draft.use('kept\n', moment);
  });

  test('is offered until the draft is saved', async () => {
    draft.typed('kept\nmore\n');
    expect(await offered()).toEqual(['kept\n']);
    await draft.save();
    expect([await offered(), backend.textOf(key)]).toEqual([[], 'kept\nmore\n']);
  });

  test('is offered after a save that met a changed file', async () => {
    backend.touch(key, 'theirs\n');
    await draft.save();
    expect(await offered()).toEqual(['kept\n']);
  });

  test('gives way to the draft that is put aside', async () => {
    draft.typed('kept\nmore\n');
    await draft.putAside();
    expect(await offered()).toEqual(['kept\nmore\n']);
  });

  test('is offered again when the draft is reverted, whatever is saved after that', async () => {
    draft.revert();
    draft.typed('other\n');
    await draft.save();
    expect(await offered()).toEqual(['kept\n']);
  });

  test('is settled once, and a save does not fail because somebody else settled it', async () => {
    const settle = vi.spyOn(backend, 'settleKept').mockRejectedValue({ kind: 'not-found', message: 'This text is not kept any more.', hints: [] });
    expect(await draft.save()).toBe(true);
    draft.typed('more\n');
    expect(await draft.save()).toBe(true);
    expect(settle).toHaveBeenCalledOnce();
  });

  test('is settled at once where the file has the same text', async () => {
    await draft.save();
    await backend.keepVersion(key, 'kept\n', true);
    await draft.use('kept\n', (await backend.keptVersions(key))[0]!.moment);
    expect(await offered()).toEqual([]);
  });
});
