// The window's state: the last snapshot, the current page, and pending messages. News arrive as snapshots; requests
// go out through `act`, which reports failures.

import { createContext, tick } from 'svelte';

import type { Asked, Backend, Choice, Leave, Show } from '../backend/backend';
import type { ActionError, ClientChange, Look as Seen, SkillRow, Snapshot } from '../backend/types';
import { speak, speech } from '../speech.svelte';
import { t } from '../text';
import type { CallFilter } from './activity';
import { toConnect } from './clients';
import { Appearance } from './appearance.svelte';
import type { Draft } from './draft.svelte';
import { Drops } from './drops.svelte';
import { failureOf } from './failure';
import type { HelpPage } from './help';
import { heardBetween } from './heard';
import type { Filter } from './list';
import { SkillList } from './list.svelte';
import { scrollBack, scrolledNow, TypedFields, type Left } from './left';
import { OpenServer, type ServerTab } from './server.svelte';
import { OpenSkill, type Tab } from './skill.svelte';
import { recall, remember } from './remembered';
import { Sources } from './sources.svelte';
import { folderName, Tending } from './tending';
import { Toasts } from './toasts.svelte';
import { Usage } from './usage.svelte';

/** A skill, and what the person should know about it before it is on. */
export interface Look extends Seen {
  skill: SkillRow;
}

/** The open dialog. */
export type Question =
  | { kind: 'connect'; client: string; change: ClientChange }
  | { kind: 'drift'; client: string; project: string | null }
  | { kind: 'entry'; client: string }
  | { kind: 'custom' }
  | { kind: 'servers' }
  | { kind: 'token'; client: string }
  | { kind: 'checkup' }
  | { kind: 'third-party' }
  | { kind: 'help'; page: HelpPage; at?: string }
  | { kind: 'place'; path: string }
  | { kind: 'enable'; looks: Look[]; others: SkillRow[] }
  | { kind: 'new' }
  | { kind: 'rescue'; draft: Draft }
  | { kind: 'duplicate'; key: string; name: string }
  | { kind: 'import'; source: Choice }
  | { kind: 'source'; written?: string }
  | { kind: 'team'; written?: string }
  | { kind: 'updates'; keys: string[] | null }
  | { kind: 'versions'; key: string; name: string }
  | { kind: 'pull'; folder: string }
  | { kind: 'commit'; folder: string }
  | { kind: 'export'; key: string; name: string }
  | { kind: 'export-many'; skills: SkillRow[] }
  | { kind: 'move'; skills: SkillRow[] }
  | { kind: 'tags'; skills: SkillRow[] }
  | { kind: 'add-folder'; folder: Choice }
  | { kind: 'set'; id: string | null }
  | { kind: 'offer'; client: string }
  | { kind: 'tools'; client: string };

/** How long what is only heard stays in the page, in milliseconds. */
const SAID = 10_000;
const places = ['skills', 'servers', 'clients', 'activity', 'insight', 'settings'] as const;
export type Place = (typeof places)[number];

export const pages: readonly Place[] = places;

export const [useApp, provideApp] = createContext<App>();

export class App {
  snapshot = $state.raw<Snapshot | null>(null);
  #place = $state<Place>(recall('page', places) ?? 'skills');
  /** The visible pane in a narrow window: the list, or the open item. */
  pane = $state<'list' | 'detail'>('list');
  /** Whether the list stays next to the editor. */
  listBesideEditor = $state(false);
  dialog = $state.raw<Question | null>(null);
  palette = $state(false);
  /** Whether the person is being asked about unsaved edits before the program ends. */
  leaving = $state(false);
  /** Whether the search field of the page is to get focus, until the page is drawn: a list that comes later takes nothing. */
  searchAsked = $state(false);
  /** The client whose details are to be shown; its row takes it. */
  clientShown = $state<string | null>(null);
  /** The section of the settings that is to be shown; the page takes it. */
  sectionShown = $state<string | null>(null);
  /** The calls that Activity is to show; the page takes it. */
  callsAsked = $state.raw<Partial<CallFilter> | null>(null);
  /** What is heard and not shown: what changed for the worse, and that a draft is saved. `time`: how often something was said. */
  heard = $state.raw({ text: '', time: 0 });
  /** Whether the sheet of shortcuts is open. */
  shortcuts = $state(false);
  /** What the window that asks asks about; this window waits meanwhile. */
  asking = $state.raw<Asked | null>(null);
  /** The time for relative moments; updated every half minute. */
  now = $state(Date.now());

  readonly backend: Backend;
  readonly list: SkillList;
  readonly skill: OpenSkill;
  readonly server: OpenServer;
  readonly appearance: Appearance;
  readonly toasts = new Toasts();
  readonly tending = new Tending(this);
  readonly usage = new Usage(this);
  readonly sources = new Sources(this);
  readonly drops = new Drops(this);

  /** What the tray asked for while the library was read. */
  #asked: Show | null = null;
  /** What the page before this one left, until the library is there. */
  #left: Left | null = null;
  /** Resolves once it is known whether something was left. */
  #asking: Promise<void> = Promise.resolve();
  /** Called once that is taken up. */
  #tookUp = () => {};
  readonly typed = new TypedFields();
  readonly #places = new Map<string, string>();

  constructor(backend: Backend) {
    this.backend = backend;
    this.appearance = new Appearance(backend);
    this.list = new SkillList(backend, () => this.snapshot?.skills ?? [], () => this.snapshot?.folders.map(({ id }) => id) ?? []);
    this.skill = new OpenSkill(backend, () => this.snapshot?.skills ?? []);
    this.server = new OpenServer(backend, () => this.snapshot?.servers ?? []);
  }

  /** Whether the first run was over the last time: the frame is drawn before anything is known. */
  readonly begunBefore = recall('begun', ['yes']) !== null;

  /** Whether the library was read, so that the skills are there and can be acted on. */
  get whole(): boolean {
    return this.snapshot !== null && this.snapshot.reading === null;
  }

  /** The page that is shown; the next run begins with it. */
  get place(): Place {
    return this.#place;
  }

  set place(place: Place) {
    this.#place = place;
    remember('page', place);
  }

  /** Asks for a folder, and remembers its place for `projectPlace`. */
  async chooseFolder(): Promise<Choice | null> {
    const folder = (await this.ask(this.backend.chooseFolder())) ?? null;
    if (folder) this.#places.set(folder.id, folder.place);
    return folder;
  }

  /** The location of a project: a chosen one, or one that is named by its path. */
  projectPlace(project: string): string {
    return this.#places.get(project) ?? project;
  }

  /** Starts listening; the returned function stops it. */
  start(): () => void {
    const clock = setInterval(() => (this.now = Date.now()), 30_000);
    const stops = [
      this.backend.onSnapshot((snapshot) => this.#take(snapshot)),
      this.backend.onConsent((asked) => (this.asking = asked)),
      this.backend.onShow((show) => this.show(show)),
      this.backend.onDrop((dropped) => this.drops.take(dropped)),
      this.backend.onDrag((over) => (this.drops.over = over)),
      this.backend.onLeave((wish) => void this.act(this.#leave(wish))),
      this.backend.onClosed(() => void this.act(this.#putAway())),
    ];
    // It listens first, so that no change is lost between the first snapshot and the next.
    this.#asking = Promise.all(stops).then(() => this.#listen());
    void this.act(this.#asking.then(async () => this.#take(await this.backend.current())));
    return () => {
      clearInterval(clock);
      for (const stop of stops) void stop.then((end) => end());
    };
  }

  show(show: Show): void {
    if (!this.whole) {
      this.#asked = show;
      return;
    }
    switch (show.place) {
      case 'skill':
        return this.openSkill(show.key);
      case 'server':
        return this.openServer(show.name);
      case 'enable':
        return void this.tending.enable(this.snapshot?.skills.filter((skill) => skill.key === show.key) ?? [], true);
      case 'review':
        return this.drops.take([show.source]);
      case 'source':
        return this.drops.takeSource(show.written);
      case 'client':
        this.place = 'clients';
        this.dialog = { kind: 'connect', client: show.id, change: toConnect() };
        return;
      case 'needs':
        this.place = 'skills';
        this.pane = 'list';
        this.list.clear();
        this.list.filter.segment = 'attention';
        return;
      default:
        return this.go(show.place);
    }
  }

  openSkill(key: string, tab: Tab = 'read'): void {
    this.place = 'skills';
    this.pane = 'detail';
    void this.skill.open(key, tab);
  }

  /** Shows a page. */
  go(place: Place): void {
    if (place === 'servers') this.openServer(null);
    else this.place = place;
  }

  /** Opens the servers; with a name, that server. */
  openServer(name: string | null, tab: ServerTab = 'overview'): void {
    this.place = 'servers';
    this.pane = name === null ? 'list' : 'detail';
    if (name !== null) void this.server.open(name, tab);
  }

  /** Opens the clients at one of them, with its details. */
  openClient(id: string): void {
    this.place = 'clients';
    this.clientShown = id;
  }

  /** Opens Activity with only some calls. */
  showCalls(only: Partial<CallFilter>): void {
    this.place = 'activity';
    this.callsAsked = only;
  }

  /** Opens the settings at one of their sections. */
  openSettings(section: string): void {
    this.place = 'settings';
    this.sectionShown = section;
  }

  /** Opens the list with only the skills of one folder, of any state or of one. */
  showFolder(id: string, state: Filter['state'] = ''): void {
    this.place = 'skills';
    this.pane = 'list';
    this.list.clear();
    this.list.narrow({ folder: id, state });
  }

  /** The place of a skill's folder, for people. */
  placeOf(skill: SkillRow): string {
    const folder = this.snapshot?.folders.find(({ id }) => id === skill.folder);
    return folder ? folderName(folder) : '';
  }

  /** Focuses the search field of the current page. */
  askSearch(): void {
    if (this.place !== 'clients') this.pane = 'list';
    if (this.place !== 'clients' && this.place !== 'servers') {
      this.place = 'skills';
      this.listBesideEditor = true;
    }
    this.searchAsked = true;
    void tick().then(() => (this.searchAsked = false));
  }

  /** Reads the library's folders again, and reports it when requested. */
  async readAgain(said?: string): Promise<void> {
    await this.act(this.backend.readAgain(), said);
  }

  /** Saves the open skill's draft; returns whether the file now holds it. */
  async saveDraft(): Promise<boolean> {
    const { draft } = this.skill;
    if (!draft?.unsaved || draft.saving) return false;
    return (await this.ask(draft.save())) ?? false;
  }

  /** The same, and says so to those who do not see that the mark of what is unsaved is gone. */
  async save(): Promise<void> {
    if ((await this.saveDraft()) && !this.skill.draft?.unsaved) this.#say(t('edit.saved'));
  }

  /** Runs a request of the person. Shows `done` or the failure; returns whether it succeeded. */
  async act(wish: Promise<unknown>, done?: string): Promise<boolean> {
    const failure = await this.tried(wish);
    if (failure) this.toasts.failed(failure.message, failure.hints);
    else if (done) this.toasts.done(done);
    return failure === null;
  }

  /** Returns the answer to a request of the person; shows a failure. */
  async ask<T>(wish: Promise<T>): Promise<T | undefined> {
    let answer: T | undefined;
    await this.act(wish.then((value) => (answer = value)));
    return answer;
  }

  /** Returns the failure, for a dialog that shows it itself; `null` on success. */
  async tried(wish: Promise<unknown>): Promise<ActionError | null> {
    try {
      await wish;
      return null;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Ends the program unless edits are unsaved. For the system it puts them aside, for the person it asks. */
  async #leave(wish: Leave): Promise<void> {
    // A page that was opened to ask has its drafts only then.
    await this.#asking;
    if (this.#left) await new Promise<void>((resolve) => (this.#tookUp = resolve));
    const drafts = this.skill.unsaved;
    if (drafts.length > 0 && wish === 'person') {
      this.leaving = true;
      return this.backend.stay();
    }
    // A draft that cannot be put aside does not block the others or the end of the session.
    await Promise.allSettled(drafts.map((draft) => draft.putAside()));
    await this.backend.leave();
  }

  async #listen(): Promise<void> {
    const left = await this.backend.takeUp();
    if (left !== null && !this.whole) this.#left = JSON.parse(left) as Left;
  }

  /** The window was closed. Leaves everything to the next page, unless something here cannot be left. */
  #putAway(): Promise<void> {
    const { skill, server, list } = this;
    if (!this.whole || this.snapshot?.firstRun || this.dialog || this.leaving || this.asking !== null || this.typed.any || document.querySelector('dialog[open]')) return this.backend.putAway(null, {});
    const drafts = skill.unsaved;
    // A conflict is decided in this page.
    if (drafts.some((draft) => draft.saving)) return this.backend.putAway(null, {});
    const left: Left = {
      place: this.place,
      pane: this.pane,
      listBesideEditor: this.listBesideEditor,
      skill: skill.key === null ? null : { key: skill.key, tab: skill.tab, file: skill.file },
      server: server.name === null ? null : { name: server.name, tab: server.tab },
      list: { query: list.query, filter: list.filter, picked: list.picked.rows.map(({ key }) => key) },
      drafts: drafts.map(({ base, text, caret, kept }) => ({ base, text, caret, kept })),
      scrolled: scrolledNow(),
    };
    return this.backend.putAway(JSON.stringify(left), Object.fromEntries(drafts.map(({ base, text }) => [base.key, text])));
  }

  #takeUp({ place, pane, listBesideEditor, skill, server, list, drafts, scrolled }: Left): void {
    Object.assign(this, { place, pane, listBesideEditor });
    this.list.filter = list.filter;
    if (list.query) this.list.search(list.query);
    for (const key of list.picked) this.list.picked.add(key);
    for (const draft of drafts) this.skill.takeUp(draft);
    if (skill) void this.skill.open(skill.key, skill.tab).then(() => (this.skill.file = skill.file));
    if (server) void this.server.open(server.name, server.tab);
    scrollBack(scrolled);
  }

  /** The library has been read. */
  #begin(): void {
    if (!this.snapshot?.firstRun) remember('begun', 'yes');
    const left = this.#left;
    this.#left = null;
    if (left) this.#takeUp(left);
    this.#tookUp();
    const asked = this.#asked;
    this.#asked = null;
    if (asked) this.show(asked);
  }

  /** Takes news; those in another language once its texts are here, so that the old one never shows up between. */
  #take(snapshot: Snapshot): void {
    const { shown } = snapshot.settings.language;
    if (speech().tag === shown) return this.#draw(snapshot);
    remember('language', shown);
    // Without the texts, which are a part of the program, it stays in the old language.
    void this.tried(speak(shown)).then(() => this.#draw(snapshot));
  }

  #say(text: string): void {
    const time = this.heard.time + 1;
    this.heard = { text, time };
    // Who walks through the page later does not find it beside something else.
    setTimeout(() => this.heard.time === time && (this.heard = { text: '', time }), SAID);
  }

  #draw(snapshot: Snapshot): void {
    if (this.snapshot && snapshot.revision < this.snapshot.revision) return;
    const begins = !this.whole && snapshot.reading === null;
    const heard = heardBetween(this.snapshot, snapshot);
    if (heard) this.#say(heard);
    this.snapshot = snapshot;
    if (begins) this.#begin();
    this.drops.show();
    this.now = Date.now();
    this.list.again();
    void this.skill.follow();
    void this.server.follow();
  }
}
