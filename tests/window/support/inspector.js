// The page of a window that WebDriver cannot follow: its session ends with the window that it began with. WebKit's
// remote inspector, which the debug build has, runs scripts in whatever page is there.

import { app, freePort, until } from './session.js';

const PATIENCE = 30_000;

/** Starts the app with an inspector of whatever page it has. */
export async function inspected(session) {
  const port = await freePort();
  // The note about the tray is a dialog that would have to be closed.
  session.write('.local/share/skilltender/window.json', JSON.stringify({ version: 1, told_of_tray: true }));
  const environment = { ...session.environment, RUST_LOG: 'debug', WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${port}` };
  const program = session.spawn(app, [], { log: `${session.home}/app.log`, env: environment });
  return { page: new Inspector(port), program };
}

export class Inspector {
  /** `port`: what WEBKIT_INSPECTOR_HTTP_SERVER names. */
  constructor(port) {
    this.place = `127.0.0.1:${port}`;
  }

  /** What a script returns in the present page. The inspector may refuse a connection; one that took the script is final. */
  async run(script) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      try {
        return await this.#once(script);
      } catch (why) {
        if (why.sent || Date.now() > end) throw why;
      }
    }
  }

  async #once(script) {
    const list = await (await fetch(`http://${this.place}/`)).text();
    const path = /socket\/[^'"]+/.exec(list)?.[0];
    if (!path) throw new Error('there is no page');
    const socket = new WebSocket(`ws://${this.place}/${path}`);
    try {
      return await answered(socket, `(() => { ${script} })()`);
    } finally {
      socket.close();
    }
  }

  /** Waits until a script returns a true value in the present page, whichever that is. */
  until(script, what) {
    return until(() => this.#once(script).catch(() => false), what, PATIENCE);
  }
}

function answered(socket, expression) {
  return new Promise((resolve, reject) => {
    let sent = false;
    const ends = setTimeout(() => reject(Object.assign(new Error('the page does not answer'), { sent })), 3_000);
    const settle = (how, value) => {
      clearTimeout(ends);
      how(value);
    };
    socket.onerror = () => settle(reject, Object.assign(new Error('the page is gone'), { sent }));
    socket.onmessage = ({ data }) => {
      const { method, params } = JSON.parse(data);
      if (method === 'Target.targetCreated') {
        sent = true;
        const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, returnByValue: true } });
        socket.send(JSON.stringify({ id: 1, method: 'Target.sendMessageToTarget', params: { targetId: params.targetInfo.targetId, message } }));
      } else if (method === 'Target.dispatchMessageFromTarget') {
        const { id, result } = JSON.parse(params.message);
        if (id !== 1) return;
        if (result.wasThrown) settle(reject, Object.assign(new Error(result.result.description), { sent }));
        else settle(resolve, result.result.value);
      }
    };
  });
}
