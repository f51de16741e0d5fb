// The open server: its tools, its log, and what was approved.

import type { Backend } from '../backend/backend';
import type { ServerPage, ServerRow } from '../backend/types';

export type ServerTab = 'overview' | 'tools' | 'log' | 'secrets' | 'approval';

export class OpenServer {
  name = $state<string | null>(null);
  tab = $state<ServerTab>('overview');
  page = $state.raw<ServerPage | null>(null);

  readonly row: ServerRow | undefined = $derived.by(() => this.#rows().find((row) => row.name === this.name));

  readonly #backend: Backend;
  readonly #rows: () => readonly ServerRow[];
  #seen = '';

  constructor(backend: Backend, rows: () => readonly ServerRow[]) {
    this.#backend = backend;
    this.#rows = rows;
  }

  async open(name: string, tab: ServerTab = 'overview'): Promise<void> {
    if (name !== this.name) this.page = null;
    this.name = name;
    this.tab = tab;
    await this.read();
  }

  /** Reads it again when its row changes, which every log line does too. */
  async follow(): Promise<void> {
    if (this.name !== null && JSON.stringify(this.row) !== this.#seen) await this.read();
  }

  async read(): Promise<void> {
    const { name } = this;
    this.#seen = JSON.stringify(this.row);
    if (name === null || !this.row) return;
    // A server that no skill needs is no longer in the list either.
    const page = await this.#backend.readServer(name).catch(() => null);
    if (name === this.name) this.page = page;
  }
}
