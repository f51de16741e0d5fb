// Skills made for a test.

/** A SKILL.md. `more` are further lines of its frontmatter. */
export function skill(name, { description = `Use ${name} in a test.`, more = '', body = `# ${name}\n\nDo it.\n` } = {}) {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}`;
}

/** A SKILL.md that needs a server with a secret. */
export function needing(name, secret) {
  const more = [
    'requires-mcp-servers:',
    '  - name: issues',
    '    description: Reads issues.',
    '    command: npx',
    '    args: ["-y", "@example/issues@1.2.3"]',
    `    env: { ${secret}: "\${${secret}}" }`,
    '    parameters:',
    `      ${secret}:`,
    '        description: A token that may read issues.',
    '        required: true',
    '        sensitive: true',
    '',
  ];
  return skill(name, { more: more.join('\n') });
}
