// Folders in work trees are replayed as they were recorded. A message is free text, and a status follows from what was done.

import type { MainCommands } from '../commands';
import type { Replay } from './recorded';

export function workTrees(replay: Replay): Partial<MainCommands> {
  const { commands } = replay;
  const [pulled, pushed] = [new Set<string>(), new Set<string>()];
  const shares = (folder: string) => replay.get('folder', folder)!.sharesSwitches;
  return {
    async workTreeStatus(folder) {
      const status = await commands.workTreeStatus(folder);
      const switches = shares(folder) && !pushed.has(folder) ? status.switches : 0;
      return { ...status, behind: pulled.has(folder) ? 0 : status.behind, skills: pushed.has(folder) ? [] : status.skills, switches };
    },
    async shareSwitches(folder, on) {
      replay.get('folder', folder)!.sharesSwitches = on;
      replay.publish();
    },
    async planPull(folder) {
      const plan = await commands.planPull(folder);
      return shares(folder) ? plan : { ...plan, switches: [], absent: 0 };
    },
    async planCommit(folder) {
      const plan = await commands.planCommit(folder);
      return shares(folder) ? plan : { ...plan, switches: [] };
    },
    async pull(folder, planId) {
      const commit = await commands.pull(folder, planId);
      pulled.add(folder);
      replay.publish();
      return commit;
    },
    async commitAndPush(folder, planId, message) {
      const answer = await commands.commitAndPush(folder, planId, message);
      if (!pulled.has(folder)) return { ...answer, refused: 'origin/main has commits that are not here, so it took none. Pull first, then push.' };
      pushed.add(folder);
      replay.publish();
      return answer;
    },
  };
}
