import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { freePort } from './e2e.ts';

/** How far a call has come: it has reached the gateway, the server has answered it, the browser has the answer. */
export type Stage = 'asked' | 'answered' | 'given';
export const stages: readonly Stage[] = ['asked', 'answered', 'given'];

/** The n-th call from now on that comes so far; a call is matched as `PUT /api/saved_views/...`. */
export interface Moment {
  call: RegExp;
  stage: Stage;
  nth: number;
}

/** What stands between the browser and the server: it sees every call, and can fail as a network does. */
export interface Gateway {
  url: string;
  /** Does something at a moment, while that call stands still; resolves when it is done. What the server was asked goes on whoever dies. */
  at: (moment: Moment, fault: () => Promise<unknown>) => Promise<void>;
  /** Nothing is done at the moments that have not come. */
  forget: () => void;
  /** From now on calls like these are not passed on; `null` passes everything. */
  refuse: (calls: RegExp | null) => void;
  /** From now on calls like these are answered with 404, as by a server that has none such; `null` hides none. */
  hide: (calls: RegExp | null) => void;
  /** From now on a call and its answer take so many milliseconds longer together. */
  delay: (roundTripMs: number) => void;
  /** Breaks off all that is under way and lets nothing through until it is mended. */
  cut: () => void;
  mend: () => void;
  /** How many calls like these have come so far. */
  count: (calls: RegExp, stage: Stage) => number;
  /** Calls that were broken off before the browser had its answer. */
  broken: () => number;
  close: () => Promise<void>;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const isStream = (message: IncomingMessage): boolean => message.headers['content-type']?.startsWith('text/event-stream') ?? false;

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Asks the server. @returns its answer once it is whole, or null where it is a stream, which is passed on as it comes. */
function ask(port: string, { method, url, headers }: IncomingMessage, body: Buffer, answered: ServerResponse): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: 'localhost', port, method, path: url, headers, agent: false }, (answer) => {
      // whoever asked is gone
      if (isStream(answer) && answered.destroyed) {
        asking.destroy();
        resolve(null);
        return;
      }
      if (isStream(answer)) {
        answered.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, answered, () => asking.destroy());
        resolve(null);
        return;
      }
      bodyOf(answer).then((read) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: read }), reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** Opens a gateway to a server on this machine. */
export async function openGateway(target: string): Promise<Gateway> {
  const { port: targetPort } = new URL(target);
  const port = await freePort();
  let armed: { moment: Moment; left: number; act: () => Promise<void> }[] = [];
  const seen: Record<Stage, string[]> = { asked: [], answered: [], given: [] };
  let refused: RegExp | null = null;
  let hidden: RegExp | null = null;
  let isCut = false;
  let broken = 0;
  let delayMs = 0;

  const reach = async (stage: Stage, call: string): Promise<void> => {
    seen[stage].push(call);
    const met = armed.filter(({ moment }) => moment.stage === stage && moment.call.test(call));
    for (const one of met) one.left -= 1;
    const due = met.filter(({ left }) => left === 0);
    armed = armed.filter((one) => !due.includes(one));
    for (const { act } of due) await act();
  };

  const pass = async (asked: IncomingMessage, answered: ServerResponse): Promise<void> => {
    const call = `${asked.method} ${asked.url}`;
    const body = await bodyOf(asked);
    if (refused?.test(call)) throw new Error('refused');
    if (hidden?.test(call)) {
      answered.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not found"}');
      return;
    }
    await reach('asked', call);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const answer = await ask(targetPort, asked, body, answered);
    if (!answer) return;
    await reach('answered', call);
    if (answered.destroyed) throw new Error('nobody waits');
    answered.writeHead(answer.status, answer.headers);
    await new Promise<void>((resolve) => answered.end(answer.body, resolve));
    await reach('given', call);
  };

  const server = createServer((asked, answered) => {
    pass(asked, answered).catch(() => {
      broken += 1;
      answered.destroy();
    });
  });
  server.on('connection', (socket) => {
    if (isCut) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return {
    url: `http://localhost:${port}`,
    at: (moment, fault) =>
      new Promise((resolve, reject) => {
        // a fault that fails is told to whoever waits for it, and the call goes on
        const act = (): Promise<void> => fault().then(() => resolve(), reject);
        armed.push({ moment, left: moment.nth, act });
      }),
    forget: () => {
      armed = [];
    },
    refuse: (calls) => {
      refused = calls;
    },
    hide: (calls) => {
      hidden = calls;
    },
    delay: (roundTripMs) => {
      delayMs = roundTripMs;
    },
    cut: () => {
      isCut = true;
      server.closeAllConnections();
    },
    mend: () => {
      isCut = false;
    },
    count: (calls, stage) => seen[stage].filter((call) => calls.test(call)).length,
    broken: () => broken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
