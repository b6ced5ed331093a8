import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignedOnce, changeAfter, changeInPlaceOf, changeSaid } from '#domain/assignment-changes.ts';
import {
  type Assigned,
  type AssignmentChange,
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

describe('a change of assignments that is said otherwise', () => {
  const change = (clients: Partial<Record<'assign' | 'unassign', string[]>>, entities: typeof clients = {}): AssignmentChange => ({
    assign_clients: clients.assign ?? [],
    unassign_clients: clients.unassign ?? [],
    assign_entities: entities.assign ?? [],
    unassign_entities: entities.unassign ?? [],
  });

  test('[US36] says what the person chose, and of what they left alone what it said', () => {
    const held = given(['alpha', 'bare']);
    const said = change({ assign: ['bare', 'beta'], unassign: ['alpha'] });
    expect(changeSaid(held, said, given(['bare', 'beta']))).toEqual(said);
    expect(changeSaid(held, said, given(['bare', 'beta'], ['a1']))).toEqual(
      change({ ...said, assign: ['bare', 'beta'], unassign: ['alpha'] }, { assign: ['a1'] }),
    );
    // as it is without the change: nothing is said of it
    expect(changeSaid(held, said, given(['alpha', 'bare']))).toEqual(change({ assign: ['bare'] }));
    expect(changeSaid(held, said, given([]))).toEqual(change({ unassign: ['alpha', 'bare'] }));
  });

  test('[US36] takes back what was made and is no longer said', () => {
    const made = change({ assign: ['alpha'], unassign: ['beta'] }, { assign: ['b1'] });
    const said = change({ assign: ['alpha', 'bare'] }, { unassign: ['b1'] });
    expect(changeAfter(made, said)).toEqual(change({ assign: ['bare', 'beta'] }, { unassign: ['b1'] }));
    expect(changeAfter(made, made)).toEqual(change({}));
    expect(changeInPlaceOf(made, said)).toEqual(change({ assign: ['alpha', 'bare', 'beta'] }, { unassign: ['b1'] }));
  });

  test('[US36] comes to what is wanted, whether the former one was made or not', () => {
    const someOf = (...ids: string[]) => fc.subarray(ids);
    const some = fc.tuple(someOf('a', 'b', 'c', 'd'), someOf('a1', 'b1', 'c1')).map(([clients, entities]) => given(clients, entities));
    fc.assert(
      fc.property(some, some, some, (held, meant, wanted) => {
        const made = assignmentChange(held, meant);
        const said = changeSaid(held, made, wanted);
        const all = listed(wanted);
        expect(listed(assignedOnce(held, said))).toEqual(all);
        expect(listed(assignedOnce(meant, changeAfter(made, said)))).toEqual(all);
        const either = changeInPlaceOf(made, said);
        expect([held, meant].map((before) => listed(assignedOnce(before, either)))).toEqual([all, all]);
      }),
    );
  });
});
