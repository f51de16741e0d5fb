// What a rejected wish says, whatever it was rejected with.

import type { ActionError } from '../backend/types';

export function failureOf(error: unknown): ActionError {
  const { kind = 'system', message = String(error), hints = [] } = error as Partial<ActionError>;
  return { kind, message, hints };
}
