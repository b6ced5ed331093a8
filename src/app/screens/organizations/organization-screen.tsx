import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { useOrganizationSettings } from '#app/use-organization-settings.ts';
import { SettingsForm } from './settings-form.tsx';
import { useOrganizations } from './use-organizations.ts';

const route = getRouteApi('/_app/organizations/$organizationId');

/** What an organization has set. */
export function OrganizationScreen() {
  const { organizationId } = route.useParams();
  const rows = useOrganizations();
  const { settings, isLoading, error, again } = useOrganizationSettings(organizationId);
  const row = rows?.find(({ organization }) => organization.id === organizationId);
  const name = row?.organization.name ?? settings?.name ?? 'Organization';
  const content = ((): ReactNode => {
    // what is typed for one organization is none of the next
    if (settings)
      return <SettingsForm key={organizationId} organizationId={organizationId} name={name} settings={settings} again={again} />;
    if (isLoading || rows === undefined) return <SkeletonRows rows={4} />;
    if (error)
      return (
        <EmptyState title="The settings could not be read" actions={<Button onClick={() => void again()}>Try again</Button>}>
          {textOfError(error)}
        </EmptyState>
      );
    return (
      <EmptyState title="These settings are not on this device">
        There is no network, and they were not read here before. Connect once to see them.
      </EmptyState>
    );
  })();
  return (
    <>
      <PageHead
        title={name}
        crumbs={
          <nav aria-label="Breadcrumb">
            <Link to="/organizations" className="text-link underline">
              Organizations
            </Link>{' '}
            / <span aria-current="page">Organization settings</span>
          </nav>
        }
        action={
          <Link to="/clients" search={{ organizationId }} className="font-medium text-link hover:underline">
            Clients of this organization
          </Link>
        }
      />
      <div className="page-inset max-w-[600px] pb-10">{content}</div>
    </>
  );
}
