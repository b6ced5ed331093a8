import { type ReactNode, useMemo, useState } from 'react';
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { assignUserInputSchema } from '#contract/users.ts';
import { assignedOnce, changeSaid } from '#domain/assignment-changes.ts';
import {
  type Assigned,
  assignedOf,
  type AssignmentChange,
  assignmentChange,
  changeCount,
  checkOfClient,
  checkOfClients,
  isEntityAssigned,
  toggleClients,
  toggleEntity,
} from '#domain/assignments.ts';
import { countWords } from '#domain/count-words.ts';
import { sightOf } from '#domain/users.ts';
import type { Role } from '#contract/roles.ts';
import type { ShownUser } from '#replica/users.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckTree } from '#app/ui/check-tree.tsx';
import type { CheckNode } from '#app/ui/check-tree-keys.ts';
import { useTold } from '#app/use-told.ts';
import type { ClientWithEntities } from './use-users.ts';

/** Where a person works, and what of it may be assigned to them. */
export interface AssignablePlaces {
  roles: readonly Role[];
  /** Those the person works for. */
  organizations: readonly { id: string; name: string }[];
  clients: readonly ClientWithEntities[];
  /** Whether what lies in an organization may be assigned. */
  mayAssign: (organizationId: string) => boolean;
}

const within = (clients: readonly ClientWithEntities[], id: string) => clients.filter(({ organization_id: of }) => of === id);

function clientNode(client: ClientWithEntities, assigned: Assigned, isOpenToChange: boolean): CheckNode {
  const check = checkOfClient(assigned, client);
  const some = client.entities.filter(({ id }) => assigned.entities.has(id)).length;
  return {
    id: client.id,
    label: client.client_name,
    note:
      check === 'some'
        ? `${some} of ${countWords(client.entities.length, 'entity', 'entities')}`
        : countWords(client.entities.length, 'entity', 'entities'),
    check,
    isOpenToChange,
    children: client.entities.map(({ id, entity_name: label }) => ({
      id,
      label,
      check: isEntityAssigned(assigned, client, id) ? 'all' : 'none',
      isOpenToChange,
      children: [],
    })),
  };
}

/** What a form of assignments may hold, and its fields. */
export const assignmentSchema = assignUserInputSchema.omit({ id: true });
export const assignmentFields = ['assign_clients', 'unassign_clients', 'assign_entities', 'unassign_entities'] as const;

/** Has a form say a change. */
export function setChange(form: UseFormReturn<AssignmentChange>, change: AssignmentChange): void {
  for (const name of assignmentFields) form.setValue(name, change[name], { shouldDirty: true });
}

interface AssignmentChecksProps extends AssignablePlaces {
  user: ShownUser;
  assigned: Assigned;
  onAssigned: (assigned: Assigned) => void;
  /** Beside the buttons that open and close the tree. */
  children?: ReactNode;
}

/** The clients and entities of the organizations a person works for, ticked where they are assigned. */
export function AssignmentChecks(props: AssignmentChecksProps) {
  const { user, roles, organizations, clients, mayAssign, assigned, onAssigned, children } = props;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(organizations.map(({ id }) => id)));
  const byId = useMemo(() => new Map(roles.map((role) => [role.id, role])), [roles]);
  const nodes = organizations.map(({ id, name }): CheckNode => {
    const own = within(clients, id);
    const isByRole = own.length > 0 && own.every((client) => sightOf(user, client, byId) === 'role');
    if (isByRole) return { id, label: name, note: 'sees every client by role', check: 'all', isOpenToChange: false, children: [] };
    const isOpenToChange = mayAssign(id);
    return {
      id,
      label: name,
      note: countWords(own.length, 'client'),
      check: checkOfClients(assigned, own),
      isOpenToChange: isOpenToChange && own.length > 0,
      children: own.map((client) => clientNode(client, assigned, isOpenToChange)),
    };
  });
  const toggled = (id: string): Assigned => {
    if (organizations.some((one) => one.id === id)) return toggleClients(assigned, within(clients, id));
    const client = clients.find((one) => one.id === id || one.entities.some((entity) => entity.id === id));
    if (!client) return assigned;
    return client.id === id ? toggleClients(assigned, [client]) : toggleEntity(assigned, client, id);
  };
  const branches = [...organizations, ...clients].map(({ id }) => id);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => setExpanded(new Set(branches))}>
          Expand all
        </Button>
        <Button size="small" onClick={() => setExpanded(new Set())}>
          Collapse all
        </Button>
        {children}
      </div>
      <CheckTree
        label="Clients and entities"
        nodes={nodes}
        expanded={expanded}
        onExpanded={setExpanded}
        onToggle={(id) => onAssigned(toggled(id))}
      />
    </div>
  );
}

const nothing: AssignmentChange = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };

interface AssignmentTreeProps extends AssignablePlaces {
  user: ShownUser;
  onSave: (change: AssignmentChange) => Promise<void>;
}

/**
 * What of the organizations a person works for is assigned to them, and a way to change it: nothing is sent before it is saved, and what was
 * ticked is kept until then.
 */
export function AssignmentTree({ user, onSave, ...places }: AssignmentTreeProps) {
  const told = useTold();
  const [isSaving, setSaving] = useState(false);
  const form = useForm<AssignmentChange>({ defaultValues: nothing });
  const draft = useDraft(form, { key: `assignments:${user.id}`, schema: assignmentSchema });
  const held = assignedOf(user);
  const said = { ...nothing, ...useWatch({ control: form.control }) };
  const wanted = assignedOnce(held, said);
  // what somebody else did meanwhile is none of it any more
  const change = assignmentChange(held, wanted);
  const count = changeCount(change);
  const clear = (): void => {
    draft.end();
    form.reset(nothing);
  };
  const save = async (): Promise<void> => {
    setSaving(true);
    if (await told(onSave(change))) clear();
    setSaving(false);
  };
  return (
    <div className="flex flex-col gap-2">
      <DraftLine draft={draft} />
      <AssignmentChecks {...places} user={user} assigned={wanted} onAssigned={(next) => setChange(form, changeSaid(held, said, next))}>
        {count > 0 ? (
          <span className="ml-auto flex items-center gap-2">
            <span role="status" className="text-small text-muted">
              {countWords(count, 'change')} not saved
            </span>
            <Button size="small" look="quiet" onClick={clear}>
              Undo
            </Button>
            <Button size="small" look="primary" disabled={isSaving} onClick={() => void save()}>
              Save assignments
            </Button>
          </span>
        ) : null}
      </AssignmentChecks>
    </div>
  );
}
