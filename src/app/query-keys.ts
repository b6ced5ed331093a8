/** First part of the key of queries whose answers say nothing of any client and are kept for offline use. */
export const referenceKey = 'reference';

const settingsName = 'organization_settings';

/** Of what an organization has set: that is kept for offline use, too. */
export const organizationSettingsKey = (id: string): string[] => [referenceKey, settingsName, id];

/** The organization a key is of; null where it is of none. */
export function organizationOfKey([first, name, id]: readonly unknown[]): string | null {
  return first === referenceKey && name === settingsName && typeof id === 'string' ? id : null;
}
