import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { archivedAssetsOf, archivedByAll, standingOf } from '#replica/archived-assets.ts';
import { anOutbox, refused } from '#tests/support/sent-edits.ts';

test('[OB3] an asset is archived as soon as it is said, and is not once that was refused', async () => {
  const { replica, add, meet } = await anOutbox();
  const [client_id, security_id] = [uuidv7(), uuidv7()];
  await add('archiveAsset', { id: uuidv7(), client_id, security_id, is_spam: false }, null);
  const standing = async () => standingOf((await archivedAssetsOf(replica))[0]);
  expect([await archivedByAll(replica, [client_id]), await standing()]).toEqual([new Set([security_id]), 'archived']);
  await meet(refused);
  expect([await archivedByAll(replica, [client_id]), await standing()]).toEqual([new Set(), 'shown']);
});
