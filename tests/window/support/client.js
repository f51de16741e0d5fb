// An MCP client: the bridge as a program, with one JSON message per line.

import { until } from './session.js';

export class Client {
  #answers = new Map();
  #next = 1;

  /** Starts the bridge for a client and shakes hands. */
  static connect(session, program, id) {
    return Client.start(session, program, ['mcp', '--client', id]);
  }

  /** Starts what stands in a client's file, and shakes hands. */
  static async start(session, command, words) {
    const client = new Client();
    client.child = session.spawn(command, words, { stdin: 'pipe' });
    let rest = '';
    client.child.stdout.on('data', (part) => {
      const lines = (rest + part).split('\n');
      rest = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const message = JSON.parse(line);
        if (message.id !== undefined) client.#answers.set(message.id, message);
      }
    });
    await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  /** The answer to a request: `result` or `error`. */
  async ask(method, params = {}) {
    const id = this.#next++;
    this.#send({ id, method, params });
    return until(() => this.#answers.get(id), `an answer to ${method}`);
  }

  #send(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
