import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useLiveQuery } from 'dexie-react-hooks';
import { useState } from 'react';
import type { Client, Entity } from '#contract/organizations.ts';
import { clientsOf, entitiesOf } from '#replica/nouns.ts';
import { DownIcon, SearchIcon } from '#app/ui/icons.tsx';
import { useReplica } from '#app/use-replica.ts';

interface Place {
  entity: Entity;
  client: Client | undefined;
}

function usePlaces(): Place[] | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [clients, entities] = await Promise.all([clientsOf(replica), entitiesOf(replica)]);
    const order = new Map(clients.map((client, index) => [client.id, index]));
    const byId = new Map(clients.map((client) => [client.id, client]));
    return entities
      .map((entity) => ({ entity, client: byId.get(entity.client_id) }))
      .sort((a, b) => (order.get(a.entity.client_id) ?? 0) - (order.get(b.entity.client_id) ?? 0));
  }, [replica]);
}

function usePlaceHere(): string | undefined {
  const search = useSearch({ strict: false });
  const params = useParams({ strict: false });
  return params.entityId ?? search.entity;
}

/** Most places listed at once; typing narrows to the others. */
const listed = 100;

function PlaceList({ places, here, onChoose }: { places: Place[]; here: string | undefined; onChoose: (place: Place) => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = places.filter(({ entity, client }) => `${client?.client_name ?? ''} ${entity.entity_name}`.toLowerCase().includes(wanted));
  return (
    <Combobox<Place> immediate onChange={(place) => place && onChoose(place)} by={(a, b) => a?.entity.id === b?.entity.id}>
      <div className="flex items-center gap-2 border-b border-line px-3 text-muted">
        <SearchIcon />
        <ComboboxInput
          autoFocus
          aria-label="Find a client or entity"
          placeholder="Find a client or entity"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-9 w-full bg-transparent text-grid text-ink outline-none focus-visible:shadow-none"
        />
      </div>
      <ComboboxOptions static className="max-h-[min(60vh,420px)] overflow-y-auto p-1">
        {found.slice(0, listed).map((place, index) => (
          <div key={place.entity.id}>
            {found[index - 1]?.entity.client_id === place.entity.client_id ? null : (
              <p className="px-2 pt-2 pb-1 text-mini font-semibold text-muted" role="presentation">
                {place.client?.client_name ?? 'Client not here yet'}
              </p>
            )}
            <ComboboxOption
              value={place}
              className={`flex h-7 items-center rounded-sm px-2 text-grid data-focus:bg-selected ${place.entity.id === here ? 'font-semibold' : ''}`}
            >
              <span className="truncate">{place.entity.entity_name}</span>
              {place.entity.active ? null : <span className="ml-auto pl-2 text-muted">Inactive</span>}
            </ComboboxOption>
          </div>
        ))}
        {found.length === 0 ? <p className="px-2 py-3 text-grid text-muted">Nothing is called that</p> : null}
      </ComboboxOptions>
    </Combobox>
  );
}

/** Says which client and entity one looks at, and goes to another's transactions. */
export function PlaceSwitcher() {
  const places = usePlaces();
  const here = usePlaceHere();
  const navigate = useNavigate();
  const place = places?.find(({ entity }) => entity.id === here);
  return (
    <Popover className="min-w-0">
      <PopoverButton className="flex h-8 max-w-[min(46vw,560px)] min-w-0 items-center gap-2 rounded px-2 text-grid hover:bg-hover">
        <span className="sr-only">Client and entity: </span>
        {place ? (
          <span className="truncate">
            <span className="hidden text-muted sm:inline">{place.client?.client_name} / </span>
            <span className="font-semibold">{place.entity.entity_name}</span>
          </span>
        ) : (
          <span className="truncate text-soft">Choose an entity</span>
        )}
        <DownIcon />
      </PopoverButton>
      <PopoverPanel anchor={{ to: 'bottom start', gap: 4 }} className="z-30 w-[340px] max-w-[92vw] rounded bg-raised shadow-pop">
        {({ close }) => (
          <PlaceList
            places={places ?? []}
            here={here}
            onChoose={({ entity }) => {
              close();
              void navigate({ to: '/transactions', search: { entity: entity.id } });
            }}
          />
        )}
      </PopoverPanel>
    </Popover>
  );
}
