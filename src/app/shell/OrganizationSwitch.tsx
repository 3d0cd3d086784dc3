import { useLocation } from 'react-router'

import type { Organization } from '#contract/identity.ts'
import { organizationPath } from '#contract/organization-path.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { LazyMenu } from './LazyMenu.tsx'
import classes from './Shell.module.css'

/**
 * The current organization; a menu if the key has access to several. Switching loads a new page, so no response,
 * permission or pending request is carried over.
 */
export function OrganizationSwitch({ organizations }: { organizations: readonly Organization[] }) {
  const { pathname } = useLocation()
  const current = organizations.find(({ id }) => id === currentOrganizationId())
  if (organizations.length < 2) return <div className={classes.organization}>{current?.name}</div>
  return (
    <LazyMenu
      text={current?.name}
      label={`Switch organization (current: ${current?.name ?? ''})`}
      heading="Organization"
      position="bottom-start"
      entries={organizations.map((organization) => ({
        label: nameAmong(organizations, organization),
        isChecked: organization.id === current?.id,
        onSelect: () => window.location.assign(organizationPath(organization.slug, listAbove(pathname))),
      }))}
    />
  )
}

/** Names need not be unique. */
const nameAmong = (organizations: readonly Organization[], { id, name, slug }: Organization) =>
  organizations.some((other) => other.id !== id && other.name === name) ? `${name} (${slug})` : name

/** The list that a page belongs to. Its content exists only in this organization, but the other one has the same lists. */
const listAbove = (pathname: string) => `/${pathname.split('/')[1] ?? ''}`
