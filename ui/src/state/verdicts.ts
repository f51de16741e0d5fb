// How clients load a skill, in the order that the page shows it. A validator loads no skills for anybody: what it says
// is apart, and never a problem of the skill.

import type { Verdict } from '../backend/types';

const validators = ['skills-ref'];

export interface Told {
  /** Clients that refuse the skill or show it differently, the refusing ones first. */
  others: Verdict[];
  /** Clients that load it as written. */
  loading: Verdict[];
  refusing: number;
  /** Validators that do not accept it as written. */
  validators: Verdict[];
}

export function told(verdicts: readonly Verdict[]): Told {
  const clients = verdicts.filter(({ client }) => !validators.includes(client));
  const [refused, changed, loading] = (['refused', 'changed', 'loads'] as const).map((kind) => clients.filter(({ verdict }) => verdict === kind));
  return {
    others: [...refused!, ...changed!],
    loading: loading!,
    refusing: refused!.length,
    validators: verdicts.filter(({ client, verdict }) => validators.includes(client) && verdict !== 'loads'),
  };
}
