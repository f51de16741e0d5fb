// The text of a rejected request, for any reason.

import type { ActionError } from '../backend/types';

export function failureOf(error: unknown): ActionError {
  const { kind = 'system', message = String(error), hints = [] } = error as Partial<ActionError>;
  return { kind, message, hints };
}
