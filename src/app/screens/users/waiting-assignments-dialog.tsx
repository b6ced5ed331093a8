import { useForm, useWatch } from 'react-hook-form';
import type { User } from '#contract/users.ts';
import { assignedOnce, changeSaid } from '#domain/assignment-changes.ts';
import { assignedOf, type AssignmentChange, changeCount } from '#domain/assignments.ts';
import { countWords } from '#domain/count-words.ts';
import { makersOfAssigned } from '#replica/places.ts';
import type { ShownUser } from '#replica/users.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { useReplica } from '#app/use-replica.ts';
import type { WaitingForm } from '#app/waiting-form.ts';
import { AssignmentChecks, assignmentFields, assignmentSchema, setChange } from './assignment-tree.tsx';
import { useAdministered } from './use-administered.ts';
import { useRoles } from './use-roles.ts';
import { type People, usePerson, useUsers } from './use-users.ts';

const title = 'Update Assignments';

/** Changes the edit that is to assign clients and entities to a person and to take others away. */
export function WaitingAssignmentsDialog(waiting: WaitingForm<'assignUser'>) {
  const person = usePerson(waiting.input.id);
  const people = useUsers();
  if (person === undefined || people === undefined) return null;
  if (person) return <AssignmentsForm {...waiting} person={person} people={people} />;
  return (
    <Dialog isOpen title={title} onClose={waiting.onClose} actions={<Button onClick={waiting.onClose}>Close</Button>}>
      <p className="py-2">This user is not on this device. They were not fetched yet, or work for no organization you see.</p>
    </Dialog>
  );
}

interface AssignmentsFormProps extends WaitingForm<'assignUser'> {
  person: ShownUser;
  people: People;
}

function AssignmentsForm({ words, input, row, person, people, onSave, onClose }: AssignmentsFormProps) {
  const replica = useReplica();
  const { roles } = useRoles();
  const administered = useAdministered(people);
  const { id: _id, ...said } = input;
  const form = useForm<AssignmentChange>({ defaultValues: said });
  const draft = useDraft(form, { key: words.draftKey, schema: assignmentSchema });
  // an edit of which it is not known what it was made on is shown on the row as it is
  const held = assignedOf((row as Pick<User, 'client_ids' | 'entity_ids'> | null) ?? person);
  const change = { ...said, ...useWatch({ control: form.control }) };
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = form.handleSubmit(async (changes) => {
    // what they assign may wait to be made itself
    await onSave(changes, { deps: await makersOfAssigned(replica, changes) });
    close();
  });
  return (
    <FormDialog
      title={title}
      submitWords="Save assignments"
      width="wide"
      waiting={words}
      fields={assignmentFields}
      onSubmit={save}
      onClose={close}
    >
      <DraftLine draft={draft} />
      <p className="break-words">
        <bdi>{person.email}</bdi>
        <span role="status" className="text-small text-muted">
          {' '}
          · {countWords(changeCount(change), 'change')}
        </span>
      </p>
      <AssignmentChecks
        user={person}
        roles={roles}
        organizations={people.organizations.filter(({ id }) => person.memberships.some((one) => one.organization_id === id))}
        clients={people.clients}
        mayAssign={(id) => administered.some((one) => one.id === id)}
        assigned={assignedOnce(held, change)}
        onAssigned={(wanted) => setChange(form, changeSaid(held, change, wanted))}
      />
    </FormDialog>
  );
}
