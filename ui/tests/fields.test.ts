import { describe, expect, test } from 'vitest';

import { applied } from '../src/state/diff';
import { changed, fieldsOf, switchedOn } from '../src/state/fields';

const file = (...lines: string[]) => `---\n${lines.join('\n')}\n---\n\nBody: stays.\nname: stays\n`;
const field = (text: string, key: string) => fieldsOf(text, [key])[0]!;
const set = (text: string, key: string, value: string) => applied(text, changed(text, field(text, key), value));

describe('a field is read', () => {
  test.each([
    ['plain', 'description: Brew tea.', 'Brew tea.'],
    ['with a comment behind it', 'description: Brew tea. # or coffee', 'Brew tea.'],
    ['with a comment and an empty line behind it', 'description: Brew tea. # or coffee\n', 'Brew tea.'],
    ['with lines of comments behind it', 'description: Brew tea. # or coffee\n  # or water\n\n  #', 'Brew tea.'],
    ['over two lines, with a comment behind the last', 'description: Brew\n  tea. # or coffee', 'Brew tea.'],
    ['over two lines, with an empty one behind it', 'description: Brew\n  tea.\n \n', 'Brew tea.'],
    ['in quotes, with a comment and empty lines behind it', 'description: "Brew #1" # or coffee\n\n  # or water\n', 'Brew #1'],
    ['in quotes over lines that look like comments', "description: 'Brew\n  # tea'\n", 'Brew # tea'],
    ['of a comment alone, with an empty line behind it', 'description: # to be written\n', ''],
    ['over two lines', 'description: Brew\n  tea.', 'Brew tea.'],
    ['in double quotes', 'description: "Use when: \\"tea\\""', 'Use when: "tea"'],
    ['in single quotes', "description: 'It''s tea'  # yes", "It's tea"],
    ['with a colon, as the checks read it', 'description: Use when: tea', 'Use when: tea'],
    ['with a colon at its end', 'description: Use when:', 'Use when:'],
    ['without a value', 'description:', ''],
    ['last of two', 'description: old\ndescription: new', 'new'],
  ])('%s', (_how, line, value) => expect(field(file('name: x', line, 'license: MIT'), 'description')).toMatchObject({ value, simple: true }));

  test.each([
    ['a list', 'description: [a, b]'],
    ['a block', 'description: |\n  a\n  b'],
    ['broken by a colon, over two lines', 'description: Use when: tea\n  is there'],
    ['an anchor', 'description: &a b'],
    ['a list below it', 'description:\n  - a'],
    ['an escape that only YAML knows', 'description: "\\e"'],
  ])('not when it is %s', (_what, line) => expect(field(file(line), 'description').simple).toBe(false));

  test('and those inside another are not its own', () => expect(field(file('metadata:', '  name: inner'), 'name').range).toBeNull());

  test('only between the fences', () => expect(fieldsOf('name: x\n', ['name'])).toEqual([]));
});

describe('a field is changed', () => {
  const text = file('name: tea # mine', "description: 'Brew'", 'license: "MIT"', 'metadata:', '  a: 1');

  test('and no other byte', () => {
    expect(set(text, 'name', 'coffee')).toBe(text.replace('name: tea #', 'name: coffee #'));
    expect(set(text, 'description', "It's hot: very")).toBe(text.replace("'Brew'", "'It''s hot: very'"));
    expect(set(text, 'license', 'Apache-2.0')).toBe(text.replace('"MIT"', '"Apache-2.0"'));
  });

  test('that has a colon is quoted by a change, and left as it is without one', () => {
    const text = file('name: tea', 'description: Use when: tea # mine', 'license: MIT');
    expect(set(text, 'description', 'Use when: coffee')).toBe(text.replace('Use when: tea #', '"Use when: coffee" #'));
    expect(set(text, 'license', 'MIT')).toBe(text);
  });

  test('or gets a line of its own', () => {
    expect(set(text, 'compatibility', 'Linux')).toBe(text.replace('  a: 1\n', '  a: 1\ncompatibility: Linux\n'));
  });

  test.each(['license: MIT # see LICENSE', "license: 'MIT'   # see LICENSE", 'license: "MIT" # see LICENSE'])('and the comment behind it stays, also before an empty line: %s', (line) => {
    const text = file(line, '', 'name: tea');
    expect(set(text, 'license', 'Apache')).toBe(text.replace('MIT', 'Apache'));
    expect(set(text, 'license', 'MIT')).toBe(text);
  });

  test('that had no value', () => expect(set(file('name:'), 'name', 'tea')).toBe(file('name: tea')));

  test.each(['a: b', 'a #b', '- a', 'true', '12', '1.0', '', ' a', 'a ', "it's", '"quoted"', '会议', 'line\nline', '[x]', 'a:', '~', 'null'])('to %j, and says so afterwards', (value) => {
    for (const before of ['name: tea', "name: 'tea'", 'name: "tea"', 'name: tea # note']) {
      const after = set(file(before), 'name', value);
      expect(field(after, 'name')).toMatchObject({ value, simple: true });
    }
  });
});

test.each([
  ['name: tea\nmetadata:\n  a: 1', 'name: tea\nmetadata:\n  a: 1\ndisable-model-invocation: true'],
  ['disable-model-invocation: false # not yet\nname: tea', 'disable-model-invocation: true # not yet\nname: tea'],
  ['disable-model-invocation: false # not yet\n\nname: tea', 'disable-model-invocation: true # not yet\n\nname: tea'],
  ['disable-model-invocation: true # at last\n\nname: tea', 'disable-model-invocation: true # at last\n\nname: tea'],
  ['disable-model-invocation:\nname: tea', 'disable-model-invocation: true\nname: tea'],
  ['disable-model-invocation: true', 'disable-model-invocation: true'],
])('a switch is turned on in %j and no other byte changes', (before, after) => {
  const text = file(...before.split('\n'));
  expect(applied(text, switchedOn(text, 'disable-model-invocation'))).toBe(file(...after.split('\n')));
});
