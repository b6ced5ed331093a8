import { describe, expect, test } from 'vitest';
import { type MutationName, mutations } from '#contract/mutations.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import type { TitledEdit } from '#replica/restating.ts';
import { titleOf } from '#app/edit-titles.ts';
import { wordsOf } from '#app/screens/outbox/edit-dialog.tsx';
import { editDialogs } from '#app/screens/outbox/edit-dialogs.ts';
import { refusalBeside } from '#app/waiting-form.ts';

const anEdit = (changes: Partial<OutboxRow> = {}): OutboxRow => ({
  seq: 1,
  id: 'edit-1',
  v: 1,
  name: 'updateClient',
  input: { id: 'client-1', client_name: 'Mine' },
  lane: 'client:client-1',
  state: 'queued',
  attempts: 0,
  next_attempt_at: 0,
  created_at: 0,
  title: 'Former words',
  client_id: null,
  entity_id: null,
  ...changes,
});

describe('what an edit is called that was said otherwise', () => {
  const titles: [MutationName, object, TitledEdit['was'], string][] = [
    ['saveView', { name: 'Q3' }, null, 'Save view: Q3'],
    ['saveView', { name: 'Q3' }, { name: 'Q3' }, 'Save view: Q3'],
    ['saveView', { name: 'Q3' }, { name: 'Q2' }, 'Rename view: Q2 to Q3'],
    ['createOrganization', { name: 'Harbor' }, null, 'Create organization: Harbor'],
    ['updateOrganization', { name: 'Harbor' }, { name: 'Port' }, 'Update organization: Port to Harbor'],
    ['createClient', { client_name: 'Birch' }, null, 'Create client: Birch'],
    ['updateClient', { client_name: 'Birch' }, { client_name: 'Brich' }, 'Update client: Brich to Birch'],
    ['updateClient', { client_name: 'Birch' }, null, 'Update client: Birch'],
    ['createEntity', { entity_name: 'Fund' }, null, 'Create entity: Fund'],
    ['updateEntity', { entity_name: 'Fund' }, { entity_name: 'Trust' }, 'Update entity: Fund'],
    ['submitTicket', { headline: 'Slow' }, null, 'Submit ticket: Slow'],
    ['updateUser', { name: 'Ann' }, null, 'Former words'],
  ];
  test.each(titles)('[OS19] %s %j on %j', (name, input, was, title) => {
    expect(titleOf({ name, input, was, title: 'Former words' })).toBe(title);
  });

  test('[OS19] a screenshot is called by the headline its ticket has now', () => {
    const ahead = anEdit({ name: 'submitTicket', input: { headline: 'Slow' } });
    const screenshot = { name: 'attachToTicket', input: {}, was: null, title: 'Former words' } as const;
    const file = { name: 'a.png', type: 'image/png', size: 12_000 };
    expect(titleOf({ ...screenshot, file, ahead })).toBe('Add screenshot to ticket: Slow (a.png, 12 kB)');
    expect(titleOf({ ...screenshot, ahead: anEdit() })).toBe('Former words');
  });
});

test('[OS20] every edit whose input a person types or chooses has its form; what is done by a click has none', () => {
  expect(Object.keys(mutations).filter((name) => !(name in editDialogs))).toEqual([
    'markTransfer',
    'deleteView',
    'deleteOrganization',
    'deleteEntity',
    'attachToTicket',
    'archiveAsset',
    'unarchiveAsset',
  ]);
});

describe('the form of an edit that waits', () => {
  const refused = anEdit({
    state: 'refused',
    error: { code: 'invalid', detail: 'Too long (body.client_name)', fields: { client_name: 'Too long' } },
  });

  test('[OS21] tells at its fields what the server said of them, and the rest below', () => {
    const words = wordsOf(refused);
    expect(words).toEqual({
      draftKey: `edit:${refused.id}`,
      note: null,
      refusal: 'Too long (body.client_name)',
      errors: { client_name: { type: 'server', message: 'Too long' } },
    });
    expect(refusalBeside(words, ['client_name'])).toBeNull();
    expect(refusalBeside(words, ['headline'])).toBe('Too long (body.client_name)');
    const taken = wordsOf(anEdit({ state: 'refused', error: { code: 'conflict', detail: 'Taken' } }));
    expect([taken.errors, refusalBeside(taken, ['client_name'])]).toEqual([{}, 'Taken']);
    expect(refusalBeside(undefined, ['client_name'])).toBeNull();
  });

  test('[OS21] tells nothing of why an attempt failed that is made again', () => {
    const again = anEdit({ error: { code: 'network', detail: 'No network' } });
    expect(wordsOf(again)).toMatchObject({ note: null, refusal: null, errors: {} });
  });

  test('[OS21] says what becomes of one that may have arrived, and of one in conflict', () => {
    expect(wordsOf(anEdit({ state: 'uncertain' })).note).toContain('sent after it');
    const theirs = { version: 4, fields: { client_name: 'Theirs' } };
    expect(wordsOf(anEdit({ state: 'conflict', theirs })).note).toContain('sent over what somebody else changed');
    expect(wordsOf(anEdit({ state: 'conflict', theirs: { version: 0, fields: null } })).note).toContain('made again');
  });
});
