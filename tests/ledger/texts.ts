import { deniedText } from '#app/notices.tsx';
import { checkAddress } from '#domain/addresses.ts';
import type { LedgerState } from './calls.ts';

/** A text of the specification, to the letter but for what stands in `{}`. */
export interface LedgerText {
  text: string;
  state: LedgerState;
  /** File or folder of the source it has to be in; anywhere without it. For words that also mean something else. */
  under?: string;
  /** Where the text is put together: one that was. */
  made?: () => string;
}

const menu = 'src/app/shell/';
/** The files of the list of entities. */
const entityList = 'src/app/screens/entities/entities';

/** Every quoted text and title of sections 2, 4, 5 and 8, in their order. */
export const texts: Readonly<Record<string, readonly LedgerText[]>> = {
  '2, shell': [
    { text: 'Home', state: 'done', under: menu },
    { text: 'Organizations', state: 'done', under: menu },
    { text: 'Clients', state: 'done', under: `${menu}menu-entries.ts` },
    { text: 'Users', state: 'done', under: `${menu}menu-entries.ts` },
    { text: 'Reports', state: 'open', under: menu },
    { text: 'Integrations', state: 'open', under: menu },
    { text: 'Prices', state: 'open', under: menu },
    { text: 'Contact Support', state: 'done' },
    { text: 'DEV', state: 'done' },
    { text: 'QA', state: 'done' },
    { text: 'ENVIRONMENT {name}', state: 'done' },
    { text: 'Settings', state: 'done', under: menu },
    { text: 'Dark Theme', state: 'done' },
    { text: 'Sign Out', state: 'done' },
  ],
  '2, screens': [
    { text: 'Create Client', state: 'done' },
    { text: 'Update Client', state: 'done' },
    { text: 'Delete Client', state: 'done' },
    { text: 'Clients', state: 'done', under: 'src/app/screens/clients/' },
    { text: 'Archived Assets', state: 'done' },
    { text: 'Unarchive Assets', state: 'done' },
    { text: 'All', state: 'done', under: entityList },
    { text: 'Active', state: 'done', under: entityList },
    { text: 'Inactive', state: 'done', under: entityList },
  ],
  '4, states': [
    { text: 'Ticket has been submitted!', state: 'done' },
    { text: 'Attachment being uploaded…', state: 'done' },
  ],
  '5, validation': [
    { text: 'Missing account id', state: 'open' },
    { text: 'Name is required', state: 'open' },
    { text: 'Address is required', state: 'open' },
    { text: 'Given address {address} is not a valid Ethereum address.', state: 'done', made: () => reasonOf(checkAddress('0x12')) },
    { text: 'Please input the Client Name below to confirm deletion.', state: 'done' },
    { text: 'WARNING: ALL data associated with this Client will no longer be available.', state: 'done' },
    { text: 'Are you sure you want to delete the Client below?', state: 'done' },
    { text: 'Please enter a valid email other than root.', state: 'done' },
  ],
  '8, errors': [
    { text: 'Not authenticated', state: 'done' },
    { text: 'Invalid token', state: 'done' },
    { text: 'No access token', state: 'done' },
    { text: 'Invalid credentials', state: 'done' },
    { text: 'Permission denied, you are not allowed to access /{segment}', state: 'done', made: () => deniedText('/clients/entities') },
    { text: 'Error deleting account', state: 'open' },
    { text: 'Issue with account creation, please try again', state: 'open' },
    { text: 'Issue with account update, please try again', state: 'open' },
    { text: 'Error updating the match', state: 'open' },
    { text: 'Error updating the match transfer', state: 'done' },
    { text: 'Failed to sync account', state: 'open' },
    { text: 'Sync blocked. Please wait 30 seconds to sync account again.', state: 'open' },
    { text: 'Syncing is already in progress for this account. Please wait.', state: 'open' },
    { text: 'Syncing is already in progress for this entity. Please wait.', state: 'open' },
    { text: 'Function name successfully updated', state: 'open' },
    { text: 'Issue with function name update, please try again', state: 'open' },
    { text: 'Defi label successfully updated', state: 'open' },
    { text: 'Issue with defi label update, please try again', state: 'open' },
    { text: 'Sorry, there is no activity on this ticket yet.', state: 'done' },
    { text: 'Sorry, there are no tickets associated with this reporter.', state: 'done' },
  ],
  '8, successes': [
    { text: 'Entity successfully created', state: 'done' },
    { text: 'Entity successfully updated', state: 'done' },
    { text: 'Entity successfully deleted', state: 'done' },
    { text: 'Client successfully created', state: 'done' },
    { text: 'Client successfully updated', state: 'done' },
    { text: 'Client successfully deleted', state: 'done' },
    { text: 'Match transfer successfully updated', state: 'done' },
    { text: 'Match DeFi trade successfully updated', state: 'open' },
    { text: 'Syncing has been triggered', state: 'open' },
    { text: 'Ticket successfully submitted', state: 'done' },
    { text: 'Attachment successfully added to ticket', state: 'done' },
  ],
};

function reasonOf(check: ReturnType<typeof checkAddress>): string {
  return check.ok ? '' : check.reason;
}
