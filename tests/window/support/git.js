// A git repository that is served as plain files on this computer, and filled commit by commit.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

/** Nothing of a person's configuration. */
const ENVIRONMENT = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
for (const who of ['AUTHOR', 'COMMITTER']) Object.assign(ENVIRONMENT, { [`GIT_${who}_NAME`]: 'Ada', [`GIT_${who}_EMAIL`]: 'ada@example.net' });

export class GitRepository {
  /** A new repository below a folder, with a host of its own; its address is `address`. */
  static async serve(folder) {
    const repository = new GitRepository();
    repository.work = path.join(folder, 'work');
    const served = path.join(folder, 'served');
    repository.bare = path.join(served, 'skills.git');
    fs.mkdirSync(served, { recursive: true });
    repository.git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', repository.bare);
    repository.git(folder, 'init', '--quiet', '--initial-branch=main', repository.work);
    repository.server = http
      .createServer((asked, answer) => {
        const file = path.join(served, path.normalize(new URL(asked.url, 'http://host').pathname));
        if (!fs.existsSync(file) || !fs.statSync(file).isFile()) return answer.writeHead(404).end();
        return answer.end(fs.readFileSync(file));
      })
      .listen(0, '127.0.0.1');
    await once(repository.server, 'listening');
    repository.address = `http://127.0.0.1:${repository.server.address().port}/skills.git`;
    return repository;
  }

  git(at, ...words) {
    return execFileSync('git', words, { cwd: at, env: ENVIRONMENT, encoding: 'utf8' }).trim();
  }

  /** Writes files and commits them; returns the commit. */
  commit(files) {
    for (const [name, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(this.work, name)), { recursive: true });
      fs.writeFileSync(path.join(this.work, name), content);
    }
    this.git(this.work, 'add', '--all');
    this.git(this.work, 'commit', '--quiet', '--message', 'a change');
    this.git(this.work, 'push', '--quiet', this.bare, 'main');
    this.git(this.bare, 'update-server-info');
    return this.git(this.work, 'rev-parse', 'HEAD');
  }

  end() {
    this.server.close();
  }
}
