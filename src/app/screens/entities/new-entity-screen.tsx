import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useServices } from '#app/services.tsx';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { Button } from '#app/ui/button.tsx';
import { SelectField } from '#app/ui/field.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { useOrganizationSettings } from '#app/use-organization-settings.ts';
import { EntityForm, newEntityFields } from './entity-form.tsx';
import { useEntities } from './use-entities.ts';
import { useEntityEdits } from './use-entity-edits.ts';

const formKey = 'entity:new';
const route = getRouteApi('/_app/entities/new');

/** Makes an entity of one of the clients. */
export function NewEntityScreen() {
  const search = route.useSearch();
  const { client, organizationId } = search;
  const navigate = useNavigate();
  const edits = useEntityEdits();
  const { drafts } = useServices();
  const found = useEntities();
  const [chosen, setChosen] = useState(client);
  const [isBusy, setBusy] = useState(false);
  const form = useId();
  const clients = found?.clients.filter((one) => organizationId === undefined || one.organization_id === organizationId) ?? [];
  // what was begun for a client of another organization goes on for that one
  const ofClient = found?.clients.find(({ id }) => id === chosen) ?? clients[0];
  const offered = ofClient === undefined || clients.includes(ofClient) ? clients : [ofClient, ...clients];
  const { settings } = useOrganizationSettings(ofClient?.organization_id);
  if (found === undefined) return <SkeletonRows rows={8} />;
  const clientId = ofClient?.id;
  const cancel = (): void => {
    drafts.end(formKey);
    void navigate({ to: '/entities', search });
  };
  if (clientId === undefined) return <EmptyState title="No client yet">An entity belongs to a client. Create the client first.</EmptyState>;
  return (
    <>
      <PageHead title="Create Entity" />
      <div className="page-inset flex max-w-[760px] flex-col gap-1 pb-10">
        <SelectField
          label="Client"
          value={clientId}
          onChange={(event) => setChosen(event.target.value)}
          options={offered.map(({ id, client_name: name }) => ({ value: id, label: name }))}
        />
        <EntityForm
          id={form}
          usual={newEntityFields}
          defaultSystem={settings?.default_accounting_system_id ?? null}
          otherNames={found.rows.filter(({ entity }) => entity.client_id === clientId).map(({ entity }) => entity.entity_name)}
          draft={{ key: formKey, clientId, onFound: (draft) => setChosen(draft.client_id ?? undefined) }}
          onBusy={setBusy}
          onSave={async (fields) => {
            const entityId = await edits.create(clientId, fields);
            await navigate({ to: '/entities/$entityId', params: { entityId }, search: carriedOrganization(search) });
          }}
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={cancel}>Cancel</Button>
          <Button look="primary" type="submit" form={form} disabled={isBusy}>
            Create Entity
          </Button>
        </div>
      </div>
    </>
  );
}
