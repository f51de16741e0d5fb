// Which tools of a server are off, for every client or for one.

import type { ToolSwitch } from '../backend/types';

/** Whether a tool, or with `null` the whole server, is off for every client (`client` is `null`) or for one. */
export const isOff = (off: readonly ToolSwitch[], client: string | null, server: string, tool: string | null): boolean =>
  off.some((each) => (each.client ?? null) === client && each.server === server && (each.tool ?? null) === tool);
