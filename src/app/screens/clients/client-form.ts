import { z } from 'zod';
import { clientFieldsSchema, clientMessages } from '#contract/clients.ts';
import { nameKey } from '#domain/name-key.ts';
import type { ShownClient } from '#replica/places.ts';

/** What the form of a client takes. The organization is asked for with a new one alone: another stays in its own, which may be out of sight. */
export function clientFormSchema({ others, isNew }: { others: readonly ShownClient[]; isNew: boolean }) {
  return z
    .object({
      organization_id: isNew ? z.string().min(1, 'Organization ID is required') : z.string(),
      ...clientFieldsSchema.shape,
    })
    .refine(
      ({ organization_id, client_name }) =>
        !others.some((other) => other.organization_id === organization_id && nameKey(other.client_name) === nameKey(client_name)),
      { error: clientMessages.taken, path: ['client_name'] },
    );
}

/**
 * The organization the form of a new client begins with: a client cannot be moved later, so of several it is the one that the screen is
 * narrowed to, or none.
 */
export function organizationOfNew(organizations: readonly { id: string }[], narrowedTo: string | undefined): string {
  const [first, ...more] = organizations;
  const narrowed = organizations.find(({ id }) => id === narrowedTo);
  return (narrowed ?? (more.length === 0 ? first : undefined))?.id ?? '';
}
