import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fittingFields, isOutdated, typedFields } from '#app/drafts/draft-fields.ts';
import { entityFieldsSchema } from '#contract/entities.ts';
import { ticketFieldsSchema } from '#contract/tickets.ts';
import type { Draft } from '#replica/outbox-tables.ts';

const aDraft = (fields: Draft['fields'], before: Draft['before'] = {}): Draft => ({
  form_key: 'x:new 1',
  client_id: null,
  entity_id: null,
  fields,
  before,
  kept_at: 1,
});

test('[DR11] what is half typed comes back; what the form does not have, or has of another kind, is left out', () => {
  const ticket = { headline: '', description: 'x'.repeat(100_000), priority: 'Blue', reporter: 'anna@', urgency: 3 };
  expect(Object.keys(fittingFields(ticketFieldsSchema, aDraft(ticket)))).toEqual(['headline', 'description', 'reporter']);
  const entity = {
    entity_name: 7,
    accounting_system_id: 'AT',
    entity_type_id: 2,
    city: null,
    active: 'yes',
    portfolio_id: 'P',
    toString: 1,
  };
  expect(fittingFields(entityFieldsSchema, aDraft(entity))).toEqual({ entity_type_id: 2, city: null, portfolio_id: 'P' });
  const refined = z.object({ name: z.string() }).refine(() => false);
  expect(fittingFields(refined, aDraft({ name: 'Larch' }))).toEqual({ name: 'Larch' });
});

test('[DR12] a draft has what differs from what the form began with, and knows when that is another by now', () => {
  const usual = { name: 'Larch', city: null, active: true };
  expect(typedFields({ ...usual, city: '' }, usual)).toBe(null);
  const typed = typedFields({ ...usual, name: 'Larch & Sons' }, usual);
  expect(typed).toEqual({ fields: { name: 'Larch & Sons' }, before: { name: 'Larch' } });
  const draft = aDraft(typed?.fields ?? {}, typed?.before);
  expect(isOutdated(draft, draft.fields, { ...usual, city: 'Basel' })).toBe(false);
  expect(isOutdated(draft, draft.fields, { ...usual, name: 'Larch Holding' })).toBe(true);
});

test('[DR13] every form keeps what is typed but those named here, and none that asks for a secret does', () => {
  const code = (file: string): string => readFileSync(join('src/app', file), 'utf8');
  const files = readdirSync('src/app', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const asks = (file: string): boolean => /type="password"|NewSecret|autoComplete="(current|new)-password"/.test(code(file));
  const forms = files.filter((file) => /\buseForm\b/.test(code(file)));
  const without = forms.filter((file) => !code(file).includes('useDraft('));
  expect(without.sort()).toEqual([
    // a file cannot be kept
    'screens/entities/import-dialog.tsx',
    'screens/session/invitation-screen.tsx',
    'screens/session/login-screen.tsx',
    // one number
    'screens/settings/lease-days.tsx',
    'screens/settings/offline-secret.tsx',
  ]);
  const drafted = files.filter((file) => code(file).includes('useDraft('));
  expect(drafted.filter(asks)).toEqual([]);
  expect(forms.filter(asks)).toHaveLength(3);
});
