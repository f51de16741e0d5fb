// Keys and signatures of Tauri's signer, for updates from a server of the test's own.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { repository } from './session.js';

const run = promisify(execFile);
const tauri = (...words) => run(path.join(repository, 'ui/node_modules/.bin/tauri'), words);

/** A key in this folder. */
export async function key(folder, name) {
  const file = path.join(folder, `${name}.key`);
  await tauri('signer', 'generate', '--ci', '--password', '', '--write-keys', file);
  return { file, public: fs.readFileSync(`${file}.pub`, 'utf8') };
}

/** The signature of these bytes as a package of this version. */
export async function signature(folder, bytes, by, version) {
  const file = path.join(folder, 'signed');
  fs.writeFileSync(file, bytes);
  await tauri('signer', 'sign', '--private-key-path', by.file, '--password', '', '--app-version', version, file);
  return fs.readFileSync(`${file}.sig`, 'utf8');
}
