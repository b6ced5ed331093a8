import { useSearch } from '@tanstack/react-router';
import { ClientDialog } from '#app/screens/clients/client-dialog.tsx';
import { useClientEdits } from '#app/screens/clients/use-client-edits.ts';
import { useClients } from '#app/screens/clients/use-clients.ts';

/** Asks for a new client, wherever one is. */
export function CreateClient({ onClose }: { onClose: () => void }) {
  const { organizationId } = useSearch({ strict: false });
  const found = useClients();
  const edits = useClientEdits();
  if (found === undefined) return null;
  return (
    <ClientDialog
      client={null}
      clients={found.rows.map(({ client }) => client)}
      organizations={found.organizations}
      organizationId={organizationId}
      onSave={edits.create}
      onClose={onClose}
    />
  );
}
