import { makersOf } from '#replica/places.ts';
import { useReplica } from '#app/use-replica.ts';
import type { WaitingForm } from '#app/waiting-form.ts';
import { ClientDialog } from './client-dialog.tsx';
import { useClients } from './use-clients.ts';

/** Changes the edit that is to make a client. */
export function WaitingNewClientDialog({ words, input, isNew, onSave, onClose }: WaitingForm<'createClient'>) {
  const replica = useReplica();
  const found = useClients();
  if (found === undefined) return null;
  return (
    <ClientDialog
      client={input}
      isNew={isNew}
      waiting={words}
      clients={found.rows.map(({ client }) => client)}
      organizations={found.organizations}
      onSave={async (organization_id, client_name) =>
        // its organization may wait to be made itself
        onSave({ organization_id, client_name }, { deps: await makersOf(replica, 'organizations', organization_id) })
      }
      onClose={onClose}
    />
  );
}

/** Changes the edit that is to change a client. */
export function WaitingClientDialog({ words, input, onSave, onClose }: WaitingForm<'updateClient'>) {
  const found = useClients();
  if (found === undefined) return null;
  const clients = found.rows.map(({ client }) => client);
  const organization_id = clients.find(({ id }) => id === input.id)?.organization_id ?? '';
  return (
    <ClientDialog
      client={{ ...input, organization_id }}
      waiting={words}
      clients={clients}
      organizations={found.organizations}
      onSave={(_, client_name) => onSave({ client_name })}
      onClose={onClose}
    />
  );
}
