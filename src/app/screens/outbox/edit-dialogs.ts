import type { ComponentType } from 'react';
import type { MutationName } from '#contract/mutations.ts';
import { WaitingClientDialog, WaitingNewClientDialog } from '#app/screens/clients/waiting-client-dialog.tsx';
import { WaitingEntityDialog } from '#app/screens/entities/waiting-entity-dialog.tsx';
import { WaitingOrganizationDialog } from '#app/screens/organizations/waiting-organization-dialog.tsx';
import { WaitingTicketDialog } from '#app/screens/tickets/waiting-ticket-dialog.tsx';
import { WaitingAssignmentsDialog } from '#app/screens/users/waiting-assignments-dialog.tsx';
import { WaitingRoleDialog } from '#app/screens/users/waiting-role-dialog.tsx';
import { WaitingUserDialog } from '#app/screens/users/waiting-user-dialog.tsx';
import type { WaitingForm } from '#app/waiting-form.ts';
import { WaitingViewDialog } from './waiting-view-dialog.tsx';

/** The dialogs in which edits are said otherwise, each the one that the edit was made in. What is done by a click has none. */
export const editDialogs: { readonly [N in MutationName]?: ComponentType<WaitingForm<N>> } = {
  saveView: WaitingViewDialog,
  createOrganization: WaitingOrganizationDialog,
  updateOrganization: WaitingOrganizationDialog,
  createClient: WaitingNewClientDialog,
  updateClient: WaitingClientDialog,
  createEntity: WaitingEntityDialog,
  updateEntity: WaitingEntityDialog,
  updateUser: WaitingUserDialog,
  setUserRole: WaitingRoleDialog,
  assignUser: WaitingAssignmentsDialog,
  submitTicket: WaitingTicketDialog,
};
