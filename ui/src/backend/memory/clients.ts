// A computer with many clients: one in every state that the window draws, and missing ones.

import { claudeDesktop } from '../example';
import type { Client, LastCall, Peer } from '../types';

const minute = 60_000;
const day = 1_440 * minute;

/** A client of this name whose file is at `place`. */
function client(id: string, name: string, place: string, other: Partial<Client> = {}): Client {
  return {
    ...claudeDesktop,
    id,
    name,
    place,
    path: place.replace('~', '/home/mei'),
    transports: ['stdio', 'http'],
    mark: 'read',
    reload: `Start ${name} anew.`,
    notes: [],
    others: 0,
    ...other,
  };
}

const peer = (name: string, version: string, protocol: string, capabilities: string[]): Peer => ({ name, version, protocol, capabilities, transport: 'stdio' });
const call = (at: number): LastCall => ({ at, method: 'tools/call', target: 'get_skill', ok: true });

const absent = [
  'Visual Studio', 'VSCodium', 'VS Code Insiders', 'Antigravity', 'Qwen Code', 'Cline', 'Kilo Code', 'Continue', 'Goose', 'Kiro', 'Amp', 'Warp', 'JetBrains Junie',
  'Crush', 'Trae', 'Factory Droid', 'Kimi Code', 'Mistral Vibe', 'Auggie', 'Amazon Q', 'BoltAI', 'Grok Build', 'Roo Code', 'Mastra Code', 'Pi',
];

/** A dozen clients at the moment `now`. */
export function manyClients(now: number): Client[] {
  const added = (other: Partial<Client>): Partial<Client> => ({
    standing: { state: 'added' },
    written: now - 18 * day,
    proof: 'waiting',
    transport: 'stdio',
    undo: { time: now - 18 * day, added: true, moved: 0 },
    ...other,
  });
  return [
    { ...claudeDesktop, ...added({ standing: { state: 'dropped', waiting: true }, proof: 'not-added', written: now - 40 * minute }) },
    client('vscode', 'VS Code', '~/.config/Code/User/mcp.json', {
      ...added({ standing: { state: 'edited' }, proof: 'connected', connected: now - 3 * day }),
      takesProjects: true,
      others: 2,
    }),
    client('opencode', 'OpenCode', '~/.config/opencode/opencode.jsonc', {
      ...added({ standing: { state: 'outdated', message: 'Our entry starts `/opt/old/skilltender`, and the program is at `/usr/bin/skilltender` now.' } }),
      mark: 'ran',
    }),
    client('lm-studio', 'LM Studio', '~/.lmstudio/mcp.json', { standing: { state: 'different' }, mark: 'table' }),
    client('claude-code', 'Claude Code', '~/.claude.json', {
      ...added({ connected: now - minute, live: true, proof: 'called', called: call(now - 4 * minute), calls: 12, peer: peer('claude-code', '2.1.329', '2026-07-28', ['roots', 'elicitation', 'skills']) }),
      mark: 'ran',
      takesProjects: true,
      projects: [
        { project: '/home/mei/projects/website', place: '~/projects/website/.mcp.json', standing: { state: 'added' }, written: now - 2 * day },
      ],
      others: 3,
      plain: 2,
      reload: 'Start a new session of Claude Code.',
    }),
    client('gemini-cli', 'Gemini CLI', '~/.gemini/settings.json', {
      ...added({ connected: now - 3 * minute, live: true, proof: 'called', called: call(now - 3 * minute), calls: 1, peer: peer('gemini-cli-mcp-client', '0.61.0', '2025-06-18', ['roots']) }),
      mark: 'ran',
      notes: ['In a folder that is not trusted, Gemini CLI starts no servers, not even those for the user.'],
    }),
    client('codex', 'Codex', '~/.codex/config.toml', { ...added({ proof: 'connected', connected: now - 25 * minute, peer: peer('codex-mcp-client', '0.169.0', '2025-06-18', ['elicitation']) }), mark: 'ran' }),
    client('windsurf', 'Windsurf', '~/.codeium/windsurf/mcp_config.json', {
      ...added({ proof: 'connected', connected: now - 2 * day, transport: 'http', token: true }),
      mark: 'table',
      notes: ['Windsurf takes at most 100 tools from all servers together.'],
    }),
    client('copilot-cli', 'Copilot CLI', '~/.copilot/mcp-config.json', {
      standing: { state: 'shared', with: 'VS Code' },
      shared: ['VS Code'],
      mark: 'ran',
    }),
    client('cursor', 'Cursor', '~/.cursor/mcp.json', { takesProjects: true, others: 1, reload: 'Cursor sees it after you switch it on in its MCP settings.' }),
    client('zed', 'Zed', '~/.config/zed/settings.json', {
      standing: { state: 'refused', message: 'Its file has an error at 41:3. Nothing was changed. Open the file.' },
      others: 1,
    }),
    client('vscodium-flatpak', 'VSCodium (Flatpak)', '~/.var/app/com.vscodium.codium/config/VSCodium/User/mcp.json', {
      transports: ['http'],
      sandbox: 'It runs in a Flatpak sandbox and cannot start our program, so it is connected over HTTP with a token.',
      mark: 'unverified',
    }),
    client('jetbrains-ai', 'JetBrains AI Assistant', '', { path: '', notes: ['It keeps its servers in its own settings. Copy our entry into them.'] }),
    ...absent.map((name) => {
      const id = name.toLowerCase().replaceAll(/\W+/g, '-');
      return client(id, name, `~/.config/${id}/mcp.json`, { found: false, mark: 'table' });
    }),
  ];
}
