import { useLocation } from 'react-router'

import type { Organization } from '#contract/identity.ts'
import { organizationPath } from '#contract/organization-path.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { LazyMenu } from './LazyMenu.tsx'
import classes from './Shell.module.css'

/**
 * The organization everything on the page belongs to; a menu when the key sees several. Another one is a new page, which
 * takes nothing along from this one: no answer, no permission, no request under way.
 */
export function OrganizationSwitch({ organizations }: { organizations: readonly Organization[] }) {
  const { pathname } = useLocation()
  const current = organizations.find(({ id }) => id === currentOrganizationId())
  if (organizations.length < 2) return <div className={classes.organization}>{current?.name}</div>
  return (
    <LazyMenu
      text={current?.name}
      label={`Organization ${current?.name ?? ''}, switch`}
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

/** The list a page belongs to: what it shows is only in its own organization, but the other one has the same lists. */
const listAbove = (pathname: string) => `/${pathname.split('/')[1] ?? ''}`
