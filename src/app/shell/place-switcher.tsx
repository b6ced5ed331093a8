import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DownIcon, SearchIcon } from '#app/ui/icons.tsx';
import { findPlaces, type Place } from './places.ts';
import { usePlaceHere, usePlaces } from './use-places.ts';

/** Most places listed at once; typing narrows to the others. */
const listed = 100;

interface PlaceListProps {
  places: Place[];
  here: string | undefined;
  onChoose: (place: Place) => void;
  onClose: () => void;
}

function PlaceList({ places, here, onChoose, onClose }: PlaceListProps) {
  const [text, setText] = useState('');
  const found = findPlaces(places, text);
  return (
    <Combobox<Place> immediate onChange={(place) => place && onChoose(place)} by={(a, b) => a?.key === b?.key}>
      <div className="flex items-center gap-2 border-b border-line px-3 text-muted">
        <SearchIcon />
        <ComboboxInput
          autoFocus
          aria-label="Find a client or entity"
          placeholder="Find a client or entity"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDownCapture={(event) => {
            // the combobox keeps the first Escape to itself, though its list never closes
            if (event.key === 'Escape') onClose();
          }}
          className="h-9 w-full bg-transparent text-grid text-ink outline-none focus-visible:shadow-none"
        />
      </div>
      <ComboboxOptions static className="max-h-[min(60vh,420px)] overflow-y-auto p-1">
        {found.slice(0, listed).map((place, index) => (
          <div key={place.key}>
            {place.group === null || found[index - 1]?.group?.id === place.group.id ? null : (
              <p className="px-2 pt-2 pb-1 text-mini font-semibold text-muted" role="presentation">
                {place.group.name}
              </p>
            )}
            <ComboboxOption
              value={place}
              className={`flex h-7 items-center rounded-sm px-2 text-grid data-focus:bg-selected ${place.key === here ? 'font-semibold' : ''}`}
            >
              <span className="truncate">{place.name}</span>
              {place.isInactive ? <span className="ml-auto pl-2 text-muted">Inactive</span> : null}
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
  const isOnTransactions = useLocation({ select: ({ pathname }) => pathname === '/transactions' });
  const places = usePlaces(isOnTransactions);
  const here = usePlaceHere();
  const navigate = useNavigate();
  const place = places?.find(({ key }) => key === here);
  return (
    <Popover className="min-w-0">
      <PopoverButton className="flex h-8 max-w-[min(46vw,560px)] min-w-0 items-center gap-2 rounded px-2 text-grid hover:bg-hover">
        <span className="sr-only">Client and entity: </span>
        {place ? (
          <span className="truncate">
            {place.group === null ? null : <span className="hidden text-muted sm:inline">{place.group.name} / </span>}
            <span className="font-semibold">{place.name}</span>
          </span>
        ) : (
          <span className="truncate text-soft">Choose an entity</span>
        )}
        <DownIcon />
      </PopoverButton>
      <PopoverPanel
        role="dialog"
        aria-label="Client and entity"
        anchor={{ to: 'bottom start', gap: 4, padding: 8 }}
        className="z-30 w-[340px] max-w-[92vw] rounded bg-raised shadow-pop"
      >
        {({ close }) => (
          <PlaceList
            places={places ?? []}
            here={here}
            onClose={close}
            onChoose={({ search }) => {
              close();
              void navigate({ to: '/transactions', search });
            }}
          />
        )}
      </PopoverPanel>
    </Popover>
  );
}
