import { type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { SubmitTicketInput, Ticket, TicketAttachment, TicketLine } from '#contract/tickets.ts';
import type { ImageKind } from '#domain/image-kinds.ts';
import { rowsOf, toUuid } from '#server/database/open.ts';
import type { TicketAsking, TicketFile, TicketPerson, TicketStore } from '#server/ticket-store.ts';
import { insertNew } from './named.ts';
import { visibleOrganizationIds, wholeOrganizationIds } from './visibility.ts';

/** Most tickets of a history. */
const historyLength = 200;

const key = sql`'SUP-' || t.number`;
const momentOf = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Whether a ticket `t` is one a person may see: their own; one a colleague reported in their name; and whoever manages the users of
 * every organization its writer was in sees it, too.
 */
function isSeen(person: TicketPerson): SQL {
  if (person.is_superuser) return sql`true`;
  const member = visibleOrganizationIds(person, 'ticket_read');
  return sql`(t.created_by = ${person.id}::uuid
    or (lower(t.reporter) = lower(${person.email}) and t.organization_ids && array(${member}))
    or (cardinality(t.organization_ids) > 0 and t.organization_ids <@ array(${member})
      and t.organization_ids <@ array(${wholeOrganizationIds(person, 'user_write')})))`;
}

async function submit({ db, person }: TicketAsking, { id: given, headline, description, priority, reporter, ...extra }: SubmitTicketInput) {
  const id = given === undefined ? uuidv7() : toUuid(given);
  const mine = sql`select t.id::text as id, ${key} as key from tickets t where t.id = ${id}::uuid and t.created_by = ${person.id}::uuid`;
  const [sent] = await rowsOf<{ id: string; key: string }>(db, mine);
  if (sent) return sent;
  const insert = sql`insert into tickets (id, headline, description, priority, reporter, extra, organization_ids, created_by)
    values (${id}::uuid, ${headline}, ${description}, ${priority}, ${reporter}, ${JSON.stringify(extra)}::jsonb,
      array(select m.organization_id from organization_members m join organizations o on o.id = m.organization_id and o.deleted_at is null
        where m.user_id = ${person.id}::uuid order by 1), ${person.id}::uuid)`;
  await insertNew(db, insert, 'ticket');
  const [made] = await rowsOf<{ id: string; key: string }>(db, mine);
  if (!made) throw new Error('A ticket is not there after it was made');
  return made;
}

function history({ db, person }: TicketAsking, reporter: string): Promise<TicketLine[]> {
  return rowsOf(
    db,
    sql`select t.id::text as id, ${key} as key,
        jsonb_build_object('summary', t.headline, 'status', jsonb_build_object('name', t.status)) as fields
      from tickets t where lower(t.reporter) = lower(${reporter.trim()}) and ${isSeen(person)}
      order by t.number desc limit ${historyLength}`,
  );
}

const attachmentFields = sql`jsonb_build_object('id', a.ticket_id, 'filename', a.file_name, 'mimeType', a.mime_type,
  'size', length(a.content), 'created', ${momentOf(sql`a.created_at`)})`;

async function find({ db, person }: TicketAsking, id: string): Promise<Ticket | null> {
  const [found] = await rowsOf<Ticket>(
    db,
    sql`select t.id::text as id, ${key} as key, jsonb_build_object(
        'summary', t.headline, 'description', t.description, 'created', ${momentOf(sql`t.created_at`)},
        'status', jsonb_build_object('name', t.status), 'priority', jsonb_build_object('name', t.priority),
        'reporter', jsonb_build_object('emailAddress', t.reporter),
        'attachment', case when a.ticket_id is null then '[]'::jsonb else jsonb_build_array(${attachmentFields}) end,
        'activity', case when a.ticket_id is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
          'id', a.ticket_id, 'created', ${momentOf(sql`a.created_at`)}, 'author', jsonb_build_object('emailAddress', u.email),
          'body', 'Attachment added: ' || a.file_name)) end) as fields
      from tickets t left join ticket_attachments a on a.ticket_id = t.id left join users u on u.id = a.created_by
      where t.id = ${toUuid(id)}::uuid and ${isSeen(person)}`,
  );
  return found ?? null;
}

async function attach({ db, person }: TicketAsking, id: string, { name, type, bytes }: TicketFile) {
  // base64: how bytes travel to the embedded database and to PostgreSQL alike
  const content = sql`decode(${Buffer.from(bytes).toString('base64')}, 'base64')`;
  const seen = sql`select t.id from tickets t where t.id = ${toUuid(id)}::uuid and ${isSeen(person)}`;
  await db.execute(sql`insert into ticket_attachments (ticket_id, file_name, mime_type, content, created_by)
    select t.id, ${name}, ${type}, ${content}, ${person.id}::uuid from (${seen}) t on conflict do nothing`);
  const [held] = await rowsOf<{ fields: TicketAttachment; is_same: boolean }>(
    db,
    sql`select ${attachmentFields} as fields, a.content = ${content} as is_same from ticket_attachments a where a.ticket_id in (${seen})`,
  );
  if (!held) return null;
  return held.is_same ? held.fields : ('taken' as const);
}

async function attachment({ db, person }: TicketAsking, id: string): Promise<TicketFile | null> {
  const [held] = await rowsOf<{ name: string; type: ImageKind; content: string }>(
    db,
    sql`select a.file_name as name, a.mime_type as type, encode(a.content, 'base64') as content from ticket_attachments a
      where a.ticket_id in (select t.id from tickets t where t.id = ${toUuid(id)}::uuid and ${isSeen(person)})`,
  );
  return held ? { name: held.name, type: held.type, bytes: Buffer.from(held.content, 'base64') } : null;
}

/** Tickets kept in our database. */
export const databaseTickets: TicketStore = { submit, history, find, attach, attachment };
