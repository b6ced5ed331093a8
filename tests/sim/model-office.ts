import type { Endpoint } from '#contract/endpoint.ts';
import { clientMessages } from '#contract/clients.ts';
import { archivedAssetMessages } from '#contract/archived-assets.ts';
import { entityMessages } from '#contract/entities.ts';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { organizationMessages } from '#contract/organizations.ts';
import { ticketMessages } from '#contract/tickets.ts';
import { userMessages } from '#contract/users.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { nameKey } from '#domain/name-key.ts';
import { assignedAfter, membershipsAfter } from '#domain/users.ts';
import { isSameValue } from '#replica/merge.ts';
import type { Row } from './overwrites.ts';
import { noTicketText, type OfficeNoun, type ServerAnswer, type SimServer, takenIdText } from './sim-server.ts';

// What the model server makes of calls about the office: organizations, clients, entities, people, archived assets, and tickets.

type OfficeRow = NonNullable<Row>;

/** A ticket, and the screenshot it came with, as text; null without one. */
export interface ModelTicket {
  id: string;
  key: string;
  screenshot: string | null;
}

interface OfficePorts {
  server: SimServer;
  uuid: () => string;
  /** Tickets are given ids of the server's own. */
  namesTickets: boolean;
  log: (noun: OfficeNoun, row: OfficeRow, isGone: boolean) => void;
  /** What an entity has beside its own row is there with it. */
  onNewEntity: (id: string) => void;
  /** What lies in a place goes out of sight with it, and everybody's lists are read anew. */
  onGonePlace: () => void;
}

/** How rows of a noun lie in others, and what they are called by there. */
interface Naming {
  word: string;
  name: string;
  in: { noun: OfficeNoun; field: string } | null;
  taken: string;
}

const namings = {
  organizations: { word: 'Organization', name: 'name', in: null, taken: organizationMessages.taken },
  clients: { word: 'Client', name: 'client_name', in: { noun: 'organizations', field: 'organization_id' }, taken: clientMessages.taken },
  entities: { word: 'Entity', name: 'entity_name', in: { noun: 'clients', field: 'client_id' }, taken: entityMessages.taken },
} satisfies Partial<Record<OfficeNoun, Naming>>;
type NamedNoun = keyof typeof namings;

/** What an entity has that no form says. */
const freshEntity = { active_accounts: 0, inactive_accounts: 0, last_update: null };

type Fields = Readonly<Record<string, unknown>>;

const done = (body: object): ServerAnswer => ({ status: 200, body });
const refused = (status: number, detail: string): ServerAnswer => ({ status, body: { detail } });

/** Whether two names are one: ours takes no notice of case and blanks, of another server nobody knows. */
export function isSameName({ hasFeed }: SimServer, one: unknown, other: unknown): boolean {
  return hasFeed ? nameKey(String(one)) === nameKey(String(other)) : one === other;
}

/** An answer. `isThere`: what was to be made is there already, and nothing was made. */
export interface Made extends ServerAnswer {
  isThere?: boolean;
}

/** A change of the office: what it says, and the key it bears; null without one. */
type Call<Input> = (input: Input, key: string | null) => Made;
type OfficeCall = Exclude<MutationName, 'saveView' | 'deleteView' | 'markTransfer' | 'attachToTicket'>;

export class ModelOffice {
  readonly tickets = new Map<string, ModelTicket>();
  readonly #ports: OfficePorts;
  /** The latest version that ever was of each row. */
  readonly #versions = new Map<string, number>();

  constructor(ports: OfficePorts) {
    this.#ports = ports;
  }

  /** What becomes of a call; null where it is about something else. */
  answer({ name }: Endpoint, input: unknown, key: string | null): Made | null {
    if (name === 'deleteClient') return this.#remove('clients', (input as { id: string }).id, key);
    if (name === 'attachToTicket') return this.#attach(input as AttachInput);
    const call = this.#calls[name as OfficeCall] as Call<unknown> | undefined;
    return call ? call(input, key) : null;
  }

  /** A row that is there from the beginning. @returns its id. */
  begin(noun: OfficeNoun, row: Fields & { id: string }): string {
    this.rows(noun).set(row.id, { ...row, version: 1 });
    this.#versions.set(row.id, 1);
    return row.id;
  }

  /** A row as it is now, and told of. */
  put(noun: OfficeNoun, fields: Fields & { id: string }, key: string | null = null): OfficeRow {
    const before = this.rows(noun).get(fields.id) ?? null;
    // ours never goes back behind a version it had; another server may begin again with a row that is made anew
    const former = before?.version ?? (this.#ports.server.hasFeed ? this.#versions.get(fields.id) : undefined) ?? 0;
    const isSame = before !== null && Object.keys(fields).every((name) => isSameValue(before[name], fields[name]));
    const after = { ...before, ...fields, version: isSame ? former : former + 1 };
    this.#versions.set(after.id, after.version);
    this.rows(noun).set(after.id, after);
    this.#ports.log(noun, after, false);
    this.#ports.server.onChange(after.id, before, after, key);
    return after;
  }

  /** The rows of a noun, whoever may see them. */
  rows(noun: OfficeNoun): Map<string, OfficeRow> {
    return this.#ports.server.office[noun] as unknown as Map<string, OfficeRow>;
  }

  readonly #calls: { [N in OfficeCall]: Call<MutationInput<N>> } = {
    createOrganization: (input, key) => this.#make('organizations', input, key),
    updateOrganization: (input, key) => this.#change('organizations', input, key),
    deleteOrganization: ({ id }, key) => this.#remove('organizations', id, key),
    createClient: (input, key) => this.#make('clients', input, key),
    updateClient: ({ id, client_name }, key) => this.#change('clients', { id, client_name }, key),
    createEntity: (input, key) => {
      const organization_id = this.rows('clients').get(input.client_id)?.organization_id;
      return this.#make('entities', { ...freshEntity, organization_id, ...input }, key);
    },
    updateEntity: (input, key) => this.#change('entities', input, key),
    deleteEntity: ({ id }, key) => this.#remove('entities', id, key),
    updateUser: (input, key) => this.#changeUser(input.id, input, key),
    setUserRole: (input, key) => this.#setRole(input, key),
    assignUser: (input, key) => this.#assign(input, key),
    submitTicket: (input) => this.#submit(input.id ?? this.#ports.uuid()),
    archiveAsset: (input, key) => this.#archive(input, key),
    unarchiveAsset: ({ id }, key) => {
      if (this.#seen('archived_assets', id)) this.#take('archived_assets', id, key);
      return done({});
    },
  };

  #seen(noun: OfficeNoun, id: string): OfficeRow | null {
    return (this.#ports.server.officeRow(noun, id) as OfficeRow | undefined) ?? null;
  }

  #isTaken(noun: NamedNoun, row: Fields & { id: string }): boolean {
    const { name, in: place }: Naming = namings[noun];
    const isBeside = (other: OfficeRow): boolean => place === null || other[place.field] === row[place.field];
    return [...this.rows(noun).values()].some(
      (other) => other.id !== row.id && isBeside(other) && isSameName(this.#ports.server, other[name], row[name]),
    );
  }

  #make(noun: NamedNoun, row: Fields & { id: string }, key: string | null): ServerAnswer {
    const { word, in: place, taken }: Naming = namings[noun];
    if (place && !this.#seen(place.noun, String(row[place.field])))
      return refused(404, `${namings[place.noun as NamedNoun].word} not found`);
    if (this.#isTaken(noun, row)) return refused(409, taken);
    // nobody makes what they would not see
    if (!this.#ports.server.mayReadOffice(noun)) return refused(404, `${word} not found`);
    const isKnown = this.#ports.server.hasFeed ? this.#versions.has(row.id) : this.rows(noun).has(row.id);
    if (isKnown) return refused(409, takenIdText(word));
    const made = this.put(noun, row, key);
    if (noun === 'entities') this.#ports.onNewEntity(row.id);
    return done(made);
  }

  #change(noun: NamedNoun, said: Fields & { id: string }, key: string | null): ServerAnswer {
    const { word, taken } = namings[noun];
    const before = this.#seen(noun, said.id);
    if (!before) return refused(404, `${word} not found`);
    if (this.#isTaken(noun, { ...before, ...said })) return refused(409, taken);
    return done(this.put(noun, said, key));
  }

  #remove(noun: NamedNoun, id: string, key: string | null): ServerAnswer {
    const isGone = !this.rows(noun).has(id) && this.#versions.has(id);
    if (noun === 'entities' && isGone) return done({});
    if (!this.#seen(noun, id)) return refused(404, `${namings[noun].word} not found`);
    const holds = noun === 'organizations' && [...this.rows('clients').values()].some(({ organization_id }) => organization_id === id);
    if (holds) return refused(409, organizationMessages.hasClients);
    this.#take(noun, id, key);
    this.#ports.onGonePlace();
    return done({});
  }

  #take(noun: OfficeNoun, id: string, key: string | null): void {
    const before = this.rows(noun).get(id);
    if (!before) return;
    const version = before.version + 1;
    this.#versions.set(id, version);
    this.rows(noun).delete(id);
    this.#ports.log(noun, { ...before, version }, true);
    this.#ports.server.onChange(id, before, null, key);
  }

  #changeUser(id: string, said: Fields, key: string | null): ServerAnswer {
    if (!this.#seen('users', id)) return refused(404, 'User not found');
    return done(this.put('users', { ...said, id }, key));
  }

  #setRole(input: MutationInput<'setUserRole'>, key: string | null): ServerAnswer {
    const user = this.#ports.server.office.users.get(input.id);
    if (!this.#seen('organizations', input.organization_id)) return refused(404, 'Organization not found');
    if (!user) return refused(404, 'User not found');
    const memberships = membershipsAfter(user.memberships, input);
    if (input.role_id !== null) return this.#changeUser(input.id, { memberships }, key);
    // what was assigned to them there goes with it
    const { clients, entities } = this.#ports.server.office;
    const isElsewhere = (id: string): boolean => clients.get(id)?.organization_id !== input.organization_id;
    const client_ids = user.client_ids.filter(isElsewhere);
    const entity_ids = user.entity_ids.filter((id) => isElsewhere(entities.get(id)?.client_id ?? ''));
    return this.#changeUser(input.id, { memberships, client_ids, entity_ids }, key);
  }

  #assign({ id, ...change }: MutationInput<'assignUser'>, key: string | null): ServerAnswer {
    const user = this.#ports.server.office.users.get(id);
    if (!user) return refused(404, 'User not found');
    const clients = [...change.assign_clients, ...change.unassign_clients].map((each) => this.#seen('clients', each));
    if (clients.includes(null)) return refused(404, 'Client not found');
    const entities = [...change.assign_entities, ...change.unassign_entities].map((each) => this.#seen('entities', each));
    if (entities.includes(null)) return refused(404, 'Entity not found');
    const places = [
      ...change.assign_clients.map((each) => this.#seen('clients', each)),
      ...change.assign_entities.map((each) => this.#seen('entities', each)),
    ];
    const worksFor = new Set<unknown>(user.memberships.map(({ organization_id }) => organization_id));
    if (places.some((place) => !worksFor.has(place?.organization_id))) return refused(409, userMessages.notThere);
    return this.#changeUser(id, { ...assignedAfter(user, change) }, key);
  }

  #archive(input: MutationInput<'archiveAsset'>, key: string | null): ServerAnswer {
    if (!this.#seen('clients', input.client_id)) return refused(404, 'Client not found');
    if (!this.#ports.server.securities.some(({ id }) => id === input.security_id)) return refused(422, archivedAssetMessages.unknown);
    if (input.id !== archivedAssetId(input.client_id, input.security_id)) return refused(422, archivedAssetMessages.otherId);
    return done(this.put('archived_assets', input, key));
  }

  #submit(given: string): Made {
    const id = this.#ports.namesTickets ? this.#ports.uuid() : given;
    const held = this.tickets.get(id);
    const ticket = held ?? { id, key: `SUP-${this.tickets.size + 1}`, screenshot: null };
    this.tickets.set(id, ticket);
    return { ...done({ id: ticket.id, key: ticket.key }), isThere: held !== undefined };
  }

  #attach({ ticket_id, file }: AttachInput): Made {
    const ticket = this.tickets.get(ticket_id);
    if (!ticket) return refused(404, noTicketText);
    // another service desk takes any number of files, and the same one again
    const { namesTickets } = this.#ports;
    const isThere = !namesTickets && ticket.screenshot === file;
    if (!namesTickets && ticket.screenshot !== null && !isThere) return refused(409, ticketMessages.attached);
    ticket.screenshot = file;
    return { ...done({ id: ticket.id, filename: 'screen.png', size: file.length, mimeType: 'image/png' }), isThere };
  }
}

interface AttachInput {
  ticket_id: string;
  file: string;
}
