import { applyList, standingOf } from '#replica/apply.ts';
import { scopeKey } from '#replica/scopes.ts';
import { readStream } from './list-reading.ts';
import type { PullPorts } from './pull-ports.ts';
import { unlessRefused } from './refused.ts';
import type { Stream } from './streams.ts';

/** Reads a noun's whole list for one scope and writes it. */
export async function pullStream(ports: PullPorts, stream: Stream, id: string): Promise<void> {
  const { replica, now } = ports;
  const startedAt = now();
  const { noun, endpoint } = stream;
  const scope = scopeKey(stream.per, id);
  const askedAt = await standingOf(replica, scope, noun);
  const read = await unlessRefused(ports, { askedAt, right: endpoint.permission }, () => readStream(ports, stream, id));
  if (read) await applyList(replica, { noun, scope, ...read, askedAt, now: startedAt });
}
