// What a server still needs from the person.

import type { Need, NeedValue } from '../backend/types';

export function missing(need: Need): NeedValue[] {
  return need.values.filter(isMissing);
}

export function isMissing(value: NeedValue): boolean {
  if (!value.required) return false;
  if (value.state.kind === 'plain') return value.state.value === null && value.state.default === null;
  return value.state.kind === 'secret-missing';
}
