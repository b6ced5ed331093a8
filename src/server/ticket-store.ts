import type { SubmitTicketInput, SubmittedTicket, Ticket, TicketAttachment, TicketLine } from '#contract/tickets.ts';
import type { ImageKind } from '#domain/image-kinds.ts';
import type { Db } from './database/open.ts';
import type { Viewer } from './repositories/visibility.ts';

/** Who writes or asks about tickets. */
export interface TicketPerson extends Viewer {
  email: string;
}

/** In whose name, and in which transaction, the store is asked. */
export interface TicketAsking {
  db: Db;
  person: TicketPerson;
}

/** A screenshot of a ticket. */
export interface TicketFile {
  name: string;
  type: ImageKind;
  bytes: Uint8Array;
}

/**
 * Where tickets are kept: our database, or a service desk elsewhere. Answers have the shape of Jira's. What the person may not see is
 * as if it were not there.
 */
export interface TicketStore {
  submit(asking: TicketAsking, ticket: SubmitTicketInput): Promise<SubmittedTicket>;
  /** The tickets of a reporter, the newest first. */
  history(asking: TicketAsking, reporter: string): Promise<TicketLine[]>;
  find(asking: TicketAsking, id: string): Promise<Ticket | null>;
  /** Adds the one file a ticket may have; null where there is no such ticket, `taken` where it has another one already. */
  attach(asking: TicketAsking, id: string, file: TicketFile): Promise<TicketAttachment | 'taken' | null>;
  attachment(asking: TicketAsking, id: string): Promise<TicketFile | null>;
}
