import type { MutationInput, MutationName } from '#contract/mutations.ts';
import type { SubmitTicketInput } from '#contract/tickets.ts';
import { fileSizeText } from '#domain/byte-text.ts';
import type { Fields } from '#replica/merge.ts';
import type { EditFile } from '#replica/outbox-tables.ts';
import type { TitledEdit } from '#replica/restating.ts';

/** `Update client: Acme to Acme Ltd`; of a row that is not known only what it is called now. */
function changeWords(what: string, was: unknown, name: string): string {
  return typeof was === 'string' ? `${what}: ${was} to ${name}` : `${what}: ${name}`;
}

/** What a ticket's screenshot is called. */
export function screenshotTitle(headline: string, { name, size }: Pick<EditFile, 'name' | 'size'>): string {
  return `Add screenshot to ticket: ${headline} (${name}, ${fileSizeText(size)})`;
}

/** What the edit of a person's role is called; null takes them out of the organization. */
export function roleTitle(email: string, organization: string, role: string | null): string {
  return role === null ? `Take ${email} out of ${organization}` : `Role of ${email} in ${organization}: ${role}`;
}

/** What edits are called whose input a person types, by what they say and the row they are made on. */
export const editTitles = {
  saveView: ({ name }: MutationInput<'saveView'>, was: Fields | null) =>
    was === null || was.name === name ? `Save view: ${name}` : changeWords('Rename view', was.name, name),
  createOrganization: ({ name }: MutationInput<'createOrganization'>) => `Create organization: ${name}`,
  updateOrganization: ({ name }: MutationInput<'updateOrganization'>, was: Fields | null) =>
    changeWords('Update organization', was?.name, name),
  createClient: ({ client_name: name }: MutationInput<'createClient'>) => `Create client: ${name}`,
  updateClient: ({ client_name: name }: MutationInput<'updateClient'>, was: Fields | null) =>
    changeWords('Update client', was?.client_name, name),
  createEntity: ({ entity_name: name }: MutationInput<'createEntity'>) => `Create entity: ${name}`,
  updateEntity: ({ entity_name: name }: MutationInput<'updateEntity'>) => `Update entity: ${name}`,
  submitTicket: ({ headline }: MutationInput<'submitTicket'>) => `Submit ticket: ${headline}`,
};

/** What an edit is called once it was said otherwise; one that tells nothing of what a person types keeps its words. */
export function titleOf({ name, input, title, was, file, ahead }: TitledEdit): string {
  if (ahead?.name === 'submitTicket' && file) return screenshotTitle((ahead.input as SubmitTicketInput).headline, file);
  const titles: { [N in MutationName]?: (input: never, was: Fields | null) => string } = editTitles;
  return titles[name]?.(input as never, was) ?? title;
}
