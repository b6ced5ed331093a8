import { v7 as uuid } from 'uuid';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { archivedNotice, type ArchiveState, archiveVerbs } from '#domain/archive-words.ts';
import { countWords } from '#domain/count-words.ts';
import { archivedAssetsOf, type ShownArchivedAsset, standingOf } from '#replica/archived-assets.ts';
import type { Replica } from '#replica/open.ts';
import type { AnyNewMutation } from '#replica/outbox.ts';
import { makersOf } from '#replica/places.ts';
import type { Services } from './services.tsx';

/** A security as far as it is told of. */
export interface TitledAsset {
  id: string;
  ticker: string;
}

/** What assets are archived by. */
export interface ArchivePorts extends Pick<Services, 'clock' | 'notices'> {
  replica: Replica;
  /** Keeps all of some edits, or none. */
  enqueueAll: (edits: readonly AnyNewMutation[]) => Promise<void>;
  /** Says where something goes wrong. */
  told: (work: Promise<unknown>) => Promise<boolean>;
}

/** Where an asset of a client stood, and where it is brought. */
interface Move {
  asset: TitledAsset;
  from: ArchiveState;
  to: ArchiveState;
}

/** What is archived of a client, by security. */
type Held = ReadonlyMap<string, ShownArchivedAsset>;

async function heldOf(replica: Replica, clientId: string): Promise<Held> {
  const own = (await archivedAssetsOf(replica)).filter(({ client_id }) => client_id === clientId);
  return new Map(own.map((held) => [held.security_id, held]));
}

/** Puts moves into the outbox, made on what was held when they were decided: what somebody makes of an asset meanwhile is a conflict. */
async function keep({ replica, clock, enqueueAll }: ArchivePorts, clientId: string, held: Held, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  // the client may wait to be made itself
  const deps = await makersOf(replica, 'clients', clientId);
  await enqueueAll(
    moves.map(({ asset, to }): AnyNewMutation => {
      const seen = held.get(asset.id) ?? null;
      const id = seen?.id ?? archivedAssetId(clientId, asset.id);
      const title = `${archiveVerbs[to]}: ${asset.ticker}`;
      const edit = { id: uuid(), now: clock(), title, seen, clientId, entityId: null, deps };
      if (to === 'shown') return { ...edit, name: 'unarchiveAsset', input: { id } };
      return { ...edit, name: 'archiveAsset', input: { id, client_id: clientId, security_id: asset.id, is_spam: to === 'spam' } };
    }),
  );
}

function titleOf(moves: readonly Move[]): string {
  const [only, ...more] = moves;
  return only && more.length === 0 ? only.asset.ticker : countWords(moves.length, 'asset');
}

/** Brings assets back to where they were, but those that stand elsewhere by now: that is somebody else's word, or a later one. */
async function undo(by: ArchivePorts, clientId: string, moves: readonly Move[]): Promise<void> {
  const held = await heldOf(by.replica, clientId);
  const standing = ({ asset }: Move): ArchiveState => standingOf(held.get(asset.id));
  const asLeft = moves.filter((move) => standing(move) === move.to);
  const back = asLeft.map(({ asset, from, to }): Move => ({ asset, from: to, to: from }));
  await keep(by, clientId, held, back);
  const leftAlone = moves.filter((move) => standing(move) !== move.to && standing(move) !== move.from);
  if (leftAlone.length > 0) by.notices.notice('warning', `${titleOf(leftAlone)} left alone: changed since`);
}

/** Brings assets of a client to where one says, all of them or none; says what was done and offers to undo it. */
export async function archiveAssets(by: ArchivePorts, clientId: string, assets: readonly TitledAsset[], to: ArchiveState): Promise<void> {
  const held = await heldOf(by.replica, clientId);
  const moves = assets.map((asset): Move => ({ asset, from: standingOf(held.get(asset.id)), to })).filter(({ from }) => from !== to);
  await keep(by, clientId, held, moves);
  if (moves.length === 0) return;
  by.notices.notice('info', archivedNotice(titleOf(moves), to), {
    label: 'Undo',
    run: () => void by.told(undo(by, clientId, moves)),
  });
}
