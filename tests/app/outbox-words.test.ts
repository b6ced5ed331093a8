import { describe, expect, test } from 'vitest';
import { fieldsOf } from '#app/screens/outbox/edit-fields.ts';
import { attached, outboxFile } from '#app/screens/outbox/outbox-file.ts';
import {
  aheadWords,
  attemptWords,
  editLine,
  holdWords,
  goneWords,
  lossWords,
  markWords,
  newsWords,
  noDiscardWords,
  outboxLabel,
  outcomeWords,
  stateLine,
  waitingWords,
  wayWords,
} from '#app/shell/outbox-words.ts';
import { stateLooks } from '#app/shell/state-looks.tsx';
import type { MutationState } from '#replica/mutation-states.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';

const noon = Date.parse('2026-09-14T12:00:00Z');

function anEdit(changes: Partial<OutboxRow> = {}): OutboxRow {
  return {
    seq: 1,
    id: 'e1',
    v: 1,
    name: 'deleteView',
    input: { id: 'v1' },
    lane: 'view:v1',
    state: 'queued',
    attempts: 0,
    next_attempt_at: 0,
    created_at: noon,
    title: 'Delete view: Fees',
    client_id: null,
    entity_id: null,
    ...changes,
  };
}

describe('the words of the outbox', () => {
  test('[OS24] say nothing of edits before they were read', () => {
    expect(outboxLabel(undefined)).toBe('Outbox');
    expect(outboxLabel([])).toBe('Outbox, no edits wait');
    expect(outboxLabel([anEdit()])).toBe('Outbox, 1 edit waits');
  });

  test.each<[MutationState, string | null, boolean, string]>([
    ['queued', null, true, 'Waiting to be sent'],
    ['queued', null, false, 'Waiting for the network'],
    ['sending', null, true, 'On its way'],
    ['uncertain', 'No answer', true, 'Sent, no answer yet - it is sent again and counts once'],
    ['acked', null, true, 'Accepted, being read back'],
    ['refused', 'Name taken', true, 'Refused: Name taken'],
    ['parked', null, true, 'Set aside'],
    ['paused_auth', null, true, 'Waiting for you to sign in'],
    ['paused_permission', null, true, 'You may not do this any more'],
    ['paused_update', null, true, 'Waiting for an update - reload to get the newest version of the app, and it is sent by itself'],
    ['paused_dependency', 'Mark transfer', true, 'It follows an edit that was let go: Mark transfer'],
    ['conflict', null, true, 'Somebody else changed this meanwhile - choose what holds'],
  ])('[OS1] an edit that is %s (%s, network: %s) says so: %s', (state, detail, hasNetwork, line) =>
    expect(stateLine(state, detail, hasNetwork)).toBe(line),
  );

  test('[OS1] the outbox says how many edits wait, and how many for the person', () => {
    expect(waitingWords([])).toBe('no edits wait');
    expect(waitingWords([anEdit()])).toBe('1 edit waits');
    expect(waitingWords([anEdit(), anEdit({ state: 'refused' })])).toBe('2 edits wait, 1 for you');
    expect(waitingWords([anEdit({ state: 'conflict' }), anEdit({ state: 'paused_update' }), anEdit({ v: 2 })])).toBe(
      '3 edits wait, 1 for you, 2 for an update of the app',
    );
  });

  test('[OS15] an edit of a newer build says so, whatever it is; one that waits behind another says whether that is for the person', () => {
    for (const newer of [anEdit({ v: 2 }), { ...anEdit(), name: 'paintRow' }, { ...anEdit(), state: 'paused_weather' }])
      expect(editLine(newer as OutboxRow, true)).toMatch(/newer version of the app - reload/);
    expect(editLine(anEdit(), true)).toBe('Waiting to be sent');
    expect(aheadWords(anEdit())).toBe('Waits for the edit above:');
    expect(aheadWords(anEdit({ state: 'conflict' }))).toBe('Waits for the edit above, which is for you to decide:');
  });

  test('[OS2] an edit says how often it was tried, and when it is next only where it is and that is to come', () => {
    expect(attemptWords(anEdit(), noon, 'UTC')).toBeNull();
    expect(attemptWords(anEdit({ attempts: 1, next_attempt_at: noon + 60_000 }), noon, 'UTC')).toBe('tried once, next at 12:01');
    expect(attemptWords(anEdit({ attempts: 3, next_attempt_at: noon }), noon, 'UTC')).toBe('tried 3 times');
    expect(attemptWords(anEdit({ attempts: 8, next_attempt_at: noon + 60_000, state: 'parked' }), noon, 'UTC')).toBe('tried 8 times');
  });

  test('[OS3] what is lost by discarding is said, and that an edit may have arrived where it may; one on its way says why not', () => {
    expect(lossWords([anEdit()])).toEqual(['This edit is gone for good: the rows go back to what the server has.']);
    expect(lossWords([anEdit({ state: 'uncertain' })])[1]).toMatch(/may have reached the server/);
    expect(lossWords([anEdit(), anEdit({ state: 'parked', may_have_arrived: true })])).toEqual([
      'These 2 edits are gone for good: the rows go back to what the server has.',
      '1 of them may have reached the server already. What has stays there, and the next sync shows it.',
    ]);
    expect(lossWords([anEdit({ saves: 3 })])[1]).toBe('It holds what you saved 3 times, one change after another.');
    expect(lossWords([anEdit(), anEdit({ saves: 2 })])[1]).toBe('They hold what you saved 3 times, one change after another.');
    expect(noDiscardWords('queued')).toBeNull();
    expect(noDiscardWords('sending')).toMatch(/on its way/);
    expect(noDiscardWords('acked')).toMatch(/accepted/);
  });

  test('[OS4] a settled edit says what became of it', () => {
    expect(outcomeWords({ outcome: 'accepted', detail: null })).toBe('Accepted');
    expect(outcomeWords({ outcome: 'replaced', detail: null })).toBe('Replaced by a later edit');
    expect(outcomeWords({ outcome: 'theirs', detail: null })).toBe('Let go by you: theirs holds');
    expect(outcomeWords({ outcome: 'accepted', detail: null, is_met: true })).toBe('Accepted: the server had it so already');
    expect(outcomeWords({ outcome: 'discarded', detail: 'It may have reached the server' })).toBe(
      'Discarded by you. It may have reached the server',
    );
  });

  test('[OS5] what holds the outbox back is said, and nothing where nothing does', () => {
    expect(holdWords({ phase: 'idle', problem: null }, true)).toBeNull();
    expect(holdWords({ phase: 'idle', problem: 'The disk is full' }, true)).toBe('The disk is full');
    expect(holdWords({ phase: 'idle', problem: null }, false)).toMatch(/no network/);
    expect(holdWords({ phase: 'waiting', problem: null }, true)).toMatch(/Another tab/);
    expect(holdWords({ phase: 'stopped', problem: null }, true)).toMatch(/Reload/);
  });

  test('[OS6] only what is settled or now needs the person is read out', () => {
    const before = [anEdit(), anEdit({ id: 'e2', state: 'sending' }), anEdit({ id: 'e3' })];
    expect(newsWords(before, before)).toBeNull();
    expect(newsWords(before, [anEdit({ state: 'sending' }), ...before.slice(1)])).toBeNull();
    expect(newsWords(before, [anEdit({ state: 'refused' }), anEdit({ id: 'e3' })])).toBe(
      '1 edit settled, 1 edit now for you to decide; 2 edits wait, 1 for you',
    );
    // nor is one settled that a later one of its row stands for
    expect(newsWords(before, [...before.slice(1), anEdit({ id: 'e9' })])).toBeNull();
    // an edit that comes is told of by the screen it was made on
    expect(newsWords([], before)).toBeNull();
  });

  test('[OS7] an edit is shown field by field, also one this version does not know', () => {
    expect(fieldsOf({ trx_id: 'a', counterpart_id: null, is_transfer: true })).toEqual([
      { label: 'Transaction', text: 'a' },
      { label: 'Counterpart', text: 'None' },
      { label: 'Is a transfer', text: 'Yes' },
    ]);
    expect(fieldsOf({ new_field: [1, 2], constructor: 'x' })).toEqual([
      { label: 'New field', text: '1, 2' },
      { label: 'Constructor', text: 'x' },
    ]);
    expect(fieldsOf({ search: 'type=13&unpriced=only' })).toEqual([{ label: 'Filter', text: 'type: Airdrop; unpriced: only' }]);
    expect(fieldsOf('text')).toEqual([{ label: 'Content', text: 'text' }]);
  });

  test('[OS8] the file for support says what it is and holds every edit as it is kept, and what is attached to it', async () => {
    const edits = [anEdit(), anEdit({ seq: 2, id: 'e2', state: 'refused', error: { code: 'invalid', detail: 'No' } })];
    const bytes = Uint8Array.from({ length: 60_001 }, (_, i) => (i * 7) & 255);
    const screenshot = { name: 'screenshot.png', content: new Blob([bytes], { type: 'image/png' }) };
    const files = [await attached({ id: 'e2' }, screenshot)];
    const { name, text } = outboxFile({
      edits,
      files,
      now: noon,
      version: '1.2.3',
      apiBaseUrl: 'https://x.example/api',
      email: 'a@x.example',
    });
    expect(name).toBe('tieout-outbox-20260914-1200.json');
    expect(JSON.parse(text)).toMatchObject({
      about: expect.stringMatching(/not reached the server/),
      made_at: '2026-09-14T12:00:00.000Z',
      app_version: '1.2.3',
      server: 'https://x.example/api',
      user: 'a@x.example',
      count: 2,
      edits,
    });
    const [file] = (JSON.parse(text) as { files: typeof files }).files;
    expect(file).toMatchObject({ edit_id: 'e2', name: 'screenshot.png', type: 'image/png' });
    expect(Buffer.from(file?.base64 ?? '', 'base64').equals(bytes)).toBe(true);
  });
});

test('[OS28] the sign of a refused edit is told from one in conflict by its words, its shape and its colour, and so is what leads on from it', () => {
  const said = (state: MutationState) => markWords({ state, since: noon, detail: state === 'refused' ? 'Name taken' : null }, 'UTC', true);
  expect([said('refused'), said('conflict')]).toEqual([
    'queued 12:00, refused: Name taken',
    'queued 12:00, somebody else changed this meanwhile - choose what holds',
  ]);
  const { refused, conflict } = stateLooks;
  expect([refused.tone, conflict.tone]).toEqual(['text-bad', 'text-warn']);
  expect(refused.icon).not.toEqual(conflict.icon);
  expect([wayWords('refused'), wayWords('conflict')]).toEqual(['Open the edit in Outbox', 'Choose what holds']);
});

test('[OS27] an edit that is gone is told with what became of it', () => {
  expect(goneWords(undefined)).toMatch(/^The edit you came for waits no longer: it was settled meanwhile\./);
  expect(goneWords({ title: 'Delete view: Fees', outcome: 'theirs', detail: null })).toBe(
    'The edit you came for waits no longer. Delete view: Fees: Let go by you: theirs holds',
  );
});
