// What one client is offered: its set of skills, and the surfaces that are on for it.

import type { Surface } from '../backend/backend';
import type { Client, Settings, SkillSet, Snapshot } from '../backend/types';
import { listed, sentences, t } from '../text';

export const surfaces: readonly Surface[] = ['tools', 'prompts', 'resources', 'skills'];

export const surfaceNames = { tools: 'surface.tools', prompts: 'surface.prompts', resources: 'surface.resources', skills: 'surface.skills' } as const;

/** A client's own switch; `null` when it follows the switch for all. */
export function ownSwitch(settings: Settings, client: string, surface: Surface): boolean | null {
  return settings.clients[client]?.[surface] ?? null;
}

/** Whether a surface is on for a client. The skills extension names files that are read as resources, so it needs resources too. */
export function isOffered(settings: Settings, client: string, surface: Surface): boolean {
  const on = (one: Surface) => ownSwitch(settings, client, one) ?? settings.surfaces[one];
  return on(surface) && (surface !== 'skills' || on('resources'));
}

export function setOf(client: Client, sets: readonly SkillSet[]): SkillSet | undefined {
  return sets.find((set) => set.id === client.set);
}

/** What a client sees, in one sentence. */
export function offerOf(client: Client, { settings, sets }: Snapshot): string {
  const set = setOf(client, sets);
  const off = surfaces.filter((surface) => !isOffered(settings, client.id, surface)).map((surface) => t(surfaceNames[surface]));
  const sees = set ? t('offer.set', { name: set.name, n: client.skills }) : t('offer.all', { n: client.skills });
  return sentences([sees, off.length && t('offer.without', { surfaces: listed(off) })]);
}
