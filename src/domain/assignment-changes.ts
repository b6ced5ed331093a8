import { type Assigned, assignedOf, type AssignmentChange, assignmentChange } from './assignments.ts';
import { assignedAfter } from './users.ts';

/** The same of clients alone, or of entities. */
interface Part {
  assign: readonly string[];
  unassign: readonly string[];
}

const clientsOf = ({ assign_clients: assign, unassign_clients: unassign }: AssignmentChange): Part => ({ assign, unassign });
const entitiesOf = ({ assign_entities: assign, unassign_entities: unassign }: AssignmentChange): Part => ({ assign, unassign });
const together = (...ids: (readonly string[])[]): string[] => [...new Set(ids.flat())].sort();
const without = (ids: readonly string[], others: readonly string[]): string[] => ids.filter((id) => !others.includes(id));
const among = (ids: readonly string[], others: readonly string[]): string[] => ids.filter((id) => others.includes(id));

function changeOf(clients: Part, entities: Part): AssignmentChange {
  return {
    assign_clients: [...clients.assign],
    unassign_clients: [...clients.unassign],
    assign_entities: [...entities.assign],
    unassign_entities: [...entities.unassign],
  };
}

/** What is assigned once a change is made. */
export function assignedOnce({ clients, entities }: Assigned, change: AssignmentChange): Assigned {
  return assignedOf(assignedAfter({ client_ids: [...clients], entity_ids: [...entities] }, change));
}

/**
 * A change that waits, said otherwise: of what the person left alone it says what it said.
 * @param held what is assigned without it. @param wanted what is to be assigned with it.
 */
export function changeSaid(held: Assigned, said: AssignmentChange, wanted: Assigned): AssignmentChange {
  const [chosen, whole] = [assignmentChange(assignedOnce(held, said), wanted), assignmentChange(held, wanted)];
  const part = (of: (change: AssignmentChange) => Part): Part => {
    const ids = Object.values(of(chosen)).flat();
    return {
      assign: together(without(of(said).assign, ids), among(of(whole).assign, ids)),
      unassign: together(without(of(said).unassign, ids), among(of(whole).unassign, ids)),
    };
  };
  return changeOf(part(clientsOf), part(entitiesOf));
}

/** What is still to change, once one change was made, for another one to hold in its place. */
export function changeAfter(made: AssignmentChange, said: AssignmentChange): AssignmentChange {
  const part = (of: (change: AssignmentChange) => Part): Part => ({
    assign: together(without(of(said).assign, of(made).assign), without(of(made).unassign, of(said).unassign)),
    unassign: together(without(of(said).unassign, of(made).unassign), without(of(made).assign, of(said).assign)),
  });
  return changeOf(part(clientsOf), part(entitiesOf));
}

/** The same where nobody knows whether the one was made. */
export function changeInPlaceOf(made: AssignmentChange, said: AssignmentChange): AssignmentChange {
  const still = changeAfter(made, said);
  const part = (of: (change: AssignmentChange) => Part): Part => ({
    assign: together(of(said).assign, of(still).assign),
    unassign: together(of(said).unassign, of(still).unassign),
  });
  return changeOf(part(clientsOf), part(entitiesOf));
}
