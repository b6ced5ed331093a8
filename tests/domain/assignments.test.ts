import { describe, expect, test } from 'vitest';
import {
  type Assigned,
  assignmentChange,
  checkOfClient,
  checkOfClients,
  isEntityAssigned,
  toggleClients,
  toggleEntity,
} from '#domain/assignments.ts';
import { assignedAfter, membershipsAfter, sightOf } from '#domain/users.ts';

const alpha = { id: 'alpha', organization_id: 'o', entities: [{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }] };
const beta = { id: 'beta', organization_id: 'o', entities: [{ id: 'b1' }] };
const bare = { id: 'bare', organization_id: 'o', entities: [] };
const given = (clients: string[], entities: string[] = []): Assigned => ({ clients: new Set(clients), entities: new Set(entities) });
const listed = ({ clients, entities }: Assigned) => [[...clients].sort(), [...entities].sort()];

describe('what is assigned', () => {
  test('[US27] a client is ticked whole, in part or not; all entities one by one are not the client, which may get more', () => {
    expect(checkOfClient(given(['alpha']), alpha)).toBe('all');
    expect(checkOfClient(given([], ['a1']), alpha)).toBe('some');
    expect(checkOfClient(given([], ['a1', 'a2', 'a3']), alpha)).toBe('some');
    expect(checkOfClient(given(['beta'], ['b1']), alpha)).toBe('none');
    expect(checkOfClients(given(['alpha', 'beta']), [alpha, beta])).toBe('all');
    expect(checkOfClients(given(['alpha']), [alpha, beta])).toBe('some');
    expect(checkOfClients(given([], ['b1']), [alpha, beta])).toBe('some');
    expect(checkOfClients(given([]), [alpha, beta])).toBe('none');
    expect(checkOfClients(given([]), [])).toBe('none');
    expect(isEntityAssigned(given(['alpha']), alpha, 'a2')).toBe(true);
  });

  test('[US27] ticking a client takes the place of its entities, and unticking one entity of a whole client leaves the others', () => {
    expect(listed(toggleClients(given([], ['a1', 'b1']), [alpha]))).toEqual([['alpha'], ['b1']]);
    expect(listed(toggleClients(given(['alpha', 'beta']), [alpha]))).toEqual([['beta'], []]);
    expect(listed(toggleClients(given(['alpha']), [alpha, beta]))).toEqual([['alpha', 'beta'], []]);
    expect(listed(toggleClients(given(['alpha', 'beta']), [alpha, beta]))).toEqual([[], []]);
    expect(listed(toggleEntity(given(['alpha', 'beta']), alpha, 'a2'))).toEqual([['beta'], ['a1', 'a3']]);
    expect(listed(toggleEntity(given([], ['a1']), alpha, 'a1'))).toEqual([[], []]);
    expect(listed(toggleEntity(given([], ['a1']), alpha, 'a3'))).toEqual([[], ['a1', 'a3']]);
    expect(listed(toggleClients(given([]), [bare]))).toEqual([['bare'], []]);
  });

  test('[US27] the change says what is to be assigned and taken away, and doing it again changes nothing', () => {
    const [before, after] = [given(['alpha'], ['b1']), given(['beta'], ['a1'])];
    const change = assignmentChange(before, after);
    expect(change).toEqual({ assign_clients: ['beta'], unassign_clients: ['alpha'], assign_entities: ['a1'], unassign_entities: ['b1'] });
    const row = assignedAfter({ client_ids: ['alpha'], entity_ids: ['b1'] }, change);
    expect(row).toEqual({ client_ids: ['beta'], entity_ids: ['a1'] });
    expect(assignedAfter(row, change)).toEqual(row);
    // what somebody else assigned meanwhile stays
    expect(assignedAfter({ client_ids: ['alpha', 'bare'], entity_ids: [] }, change).client_ids).toEqual(['bare', 'beta']);
    const held = [{ organization_id: 'o', role_id: 'auditor' }];
    expect(membershipsAfter(held, { organization_id: 'o', role_id: 'reporter' })).toEqual([{ organization_id: 'o', role_id: 'reporter' }]);
    expect(membershipsAfter(held, { organization_id: 'o', role_id: null })).toEqual([]);
    expect(membershipsAfter(held, { organization_id: 'a', role_id: 'auditor' }).map(({ organization_id }) => organization_id)).toEqual([
      'a',
      'o',
    ]);
  });

  test('[US28] how somebody sees a client follows from their role, then the client, then its entities', () => {
    const roles = new Map([
      ['administrator', { sees_whole_organization: true }],
      ['auditor', { sees_whole_organization: false }],
    ]);
    const user = {
      id: 'u',
      email: 'u@example.org',
      name: null,
      is_enabled: true,
      is_superuser: false,
      memberships: [{ organization_id: 'o', role_id: 'auditor' }],
      client_ids: ['beta'],
      entity_ids: ['a2'],
      is_administered: true,
      last_sign_in_on: null,
      invited_until: null,
      version: 1,
    };
    const sight = (more: object, client = alpha) => sightOf({ ...user, ...more }, client, roles);
    expect([sight({}), sight({}, beta), sight({}, bare)]).toEqual(['entities', 'client', 'none']);
    expect(sight({ memberships: [{ organization_id: 'o', role_id: 'administrator' }] }, bare)).toBe('role');
    expect(sight({ memberships: [{ organization_id: 'p', role_id: 'administrator' }] }, beta)).toBe('none');
    expect(sight({ memberships: [], is_superuser: true })).toBe('role');
  });
});
