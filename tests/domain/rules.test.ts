import { describe, expect, test } from 'vitest';
import { permissionKeys } from '#contract/permissions.ts';
import { transactionTypes } from '#contract/transaction-codes.ts';
import { checkAddress, displayAddress } from '#domain/addresses.ts';
import { defaultRoles, isAllowed } from '#domain/permissions.ts';
import { expiresAtText, expiryOf, needsRefresh, safeRedirect } from '#domain/session.ts';
import { nextSort, sortedRows } from '#domain/sorting.ts';
import { flowOfType, signOfType, typeCategories, typeName, typesOfCategories } from '#domain/transaction-types.ts';
import { checkTransferMark } from '#domain/transfer-matching.ts';

describe('permissions', () => {
  test('[PE1] a superuser may do everything; others need the key, or any of a list', () => {
    const superuser = { is_superuser: true, permissions: {} };
    const reader = { is_superuser: false, permissions: { client_read: true, user_read: false } };
    expect(isAllowed(superuser, { superuserOnly: true })).toBe(true);
    expect(isAllowed(reader, { superuserOnly: true, anyOf: ['client_read'] })).toBe(false);
    expect(isAllowed(reader, { anyOf: ['client_read'] })).toBe(true);
    expect(isAllowed(reader, { anyOf: ['user_read'] })).toBe(false);
    expect(isAllowed(reader, { anyOf: ['user_read', 'client_read'] })).toBe(true);
    expect(isAllowed(reader, {})).toBe(true);
  });

  test('[PE2] the role table is the one decided', () => {
    const lacks = Object.fromEntries(
      defaultRoles.map((role) => [role.id, permissionKeys.filter((key) => !role.permissions.includes(key))]),
    );
    expect(lacks.administrator).toEqual([]);
    expect(lacks.accountant).toEqual(['organization_write', 'credential_write', 'user_write']);
    expect(lacks.bookkeeper).toEqual(['organization_write', 'credential_write', 'report_write', 'user_write', 'period_lock_write']);
    const granted = (id: string) => defaultRoles.find((role) => role.id === id)?.permissions.filter((key) => key.endsWith('_write'));
    expect([granted('reporter'), granted('auditor')]).toEqual([['report_write'], ['ticket_write']]);
    expect(lacks.reporter).toEqual(expect.arrayContaining(['credential_read', 'audit_read']));
    expect(lacks.auditor).not.toContain('audit_read');
  });
});

describe('transaction types', () => {
  test('[TT1] each of the 29 types has its sign and its place in the totals', () => {
    const signs = Object.keys(transactionTypes).map((id) => signOfType(Number(id)));
    expect(signs).toEqual([1, -1, 1, -1, -1, 1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1, 0, -1, 0, 0, -1, 1, -1, -1, -1, 1]);
    expect([1, 2, 5, 6, 20, 28].map(flowOfType)).toEqual(['in', 'out', 'fees', 'in', 'none', 'fees']);
  });

  test('[TT2] the reduced list merges the trade rows into Trade and leaves out 4 to 8, 27 and 28', () => {
    const ids = typeCategories.map((category) => category.id);
    expect(ids.filter((id) => [4, 5, 6, 7, 8, 27, 28].includes(id))).toEqual([]);
    expect(typeCategories.find((category) => category.id === 3)).toEqual({ id: 3, name: 'Trade', typeIds: [3, 4, 5, 6] });
    expect(typesOfCategories([3, 1])).toEqual([3, 4, 5, 6, 1]);
  });

  test('[TT3] a type this build does not know is shown by its number', () => {
    expect([typeName(19), typeName(77)]).toEqual(['Staking income', 'Unknown (77)']);
  });
});

describe('transfers', () => {
  const leg = { id: 'a', account_id: '1', entity_id: 'e', trx_type_id: 2 };
  const counterpart = { id: 'b', account_id: '2', entity_id: 'e', trx_type_id: 1 };

  test('[M8] a pair is two directions, two accounts, one entity; which leg is which follows from the types', () => {
    expect(checkTransferMark(leg, counterpart)).toEqual({ ok: true, outId: 'a', inId: 'b' });
    expect(checkTransferMark(counterpart, leg)).toEqual({ ok: true, outId: 'a', inId: 'b' });
    expect(checkTransferMark(leg, { ...counterpart, account_id: '1' })).toEqual({ ok: false, reason: 'same_account' });
    expect(checkTransferMark(leg, { ...counterpart, entity_id: 'f' })).toEqual({ ok: false, reason: 'other_entity' });
    expect(checkTransferMark(leg, { ...counterpart, trx_type_id: 2 })).toEqual({ ok: false, reason: 'same_direction' });
    expect(checkTransferMark(leg, { ...counterpart, trx_type_id: 20 })).toEqual({ ok: false, reason: 'moves_nothing' });
    expect(checkTransferMark(leg, leg)).toEqual({ ok: false, reason: 'same_transaction' });
    expect(checkTransferMark(counterpart, null)).toEqual({ ok: true, outId: null, inId: 'b' });
  });
});

describe('session', () => {
  test('[SE12] expires_at is UTC though it has no suffix, in any zone of the machine', () => {
    expect(expiryOf('2026-09-14T12:00:00.000')).toBe(Date.parse('2026-09-14T12:00:00.000Z'));
    expect(expiryOf(expiresAtText(1_789_387_200_123))).toBe(1_789_387_200_123);
    expect(expiryOf('soon')).toBeUndefined();
  });

  test('[SE13] the session is renewed when less than 30 minutes remain', () => {
    const now = Date.parse('2026-09-14T12:00:00.000Z');
    expect(needsRefresh('2026-09-14T12:30:00.000', now)).toBe(false);
    expect(needsRefresh('2026-09-14T12:29:59.999', now)).toBe(true);
    expect(needsRefresh('nonsense', now)).toBe(true);
  });

  test('[SE14] a saved place to return to is a path of this app and never a session page or another site', () => {
    const to = (target: string | null) => safeRedirect(target, '/home');
    expect(to('/transactions?entity=1')).toBe('/transactions?entity=1');
    for (const bad of [
      null,
      '',
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/a\\b',
      'javascript:alert(1)',
      '/login',
      '/logout?error=x',
      '/',
      '/a\nb',
    ]) {
      expect(to(bad)).toBe('/home');
    }
  });
});

describe('lists', () => {
  test('[LI1] a click on a column sorts ascending, the next descending, the third not at all', () => {
    const first = nextSort<string>([], 'usd_value');
    const second = nextSort(first, 'usd_value');
    expect([first, second, nextSort(second, 'usd_value')]).toEqual([
      [{ field: 'usd_value', ascending: true }],
      [{ field: 'usd_value', ascending: false }],
      [],
    ]);
    expect(nextSort(second, 'price')).toEqual([{ field: 'price', ascending: true }]);
  });

  test('[LI2] with shift a column joins the order, changes its part in place, and leaves it at the third click', () => {
    const both = nextSort<string>([{ field: 'usd_value', ascending: true }], 'price', true);
    expect(both.map(({ field }) => field)).toEqual(['usd_value', 'price']);
    const changed = nextSort(both, 'usd_value', true);
    expect(changed[0]).toEqual({ field: 'usd_value', ascending: false });
    expect(nextSort(changed, 'usd_value', true)).toEqual([{ field: 'price', ascending: true }]);
  });

  test('[LT3] amounts are compared to their last digit, whatever their size', () => {
    const texts = ['9007199254740993', '9007199254740992.5', '9007199254740992', '0.10000000000000000000002', '0.1', '-0.0', '0', '-1e3'];
    const sorted = sortedRows(texts.toReversed(), [{ field: 'amount', ascending: false }], () => ({ isNumber: true, plain: String }));
    expect(sorted).toEqual([...texts.slice(0, 5), '0', '-0.0', '-1e3']);
  });

  test('[AD1] an address is 40 hex digits with or without 0x, answered in checksum form; anything else is named in the refusal', () => {
    const checksum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    for (const text of [checksum, checksum.toLowerCase(), checksum.slice(2).toUpperCase()])
      expect(checkAddress(text)).toEqual({ ok: true, address: checksum });
    expect(checkAddress('XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS')).toEqual({
      ok: false,
      reason: 'Given address XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS is not a valid Ethereum address.',
    });
    expect(displayAddress('bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh')).toBe('bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh');
  });
});
