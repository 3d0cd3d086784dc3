import { useNavigate } from 'react-router'

import type { Organization } from '#contract/identity.ts'
import { currentOrganizationId, selectOrganization } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { LazyMenu } from './LazyMenu.tsx'
import classes from './Shell.module.css'

/** The organization everything on the page belongs to; a menu when the key sees several. */
export function OrganizationSwitch({ organizations }: { organizations: readonly Organization[] }) {
  const navigate = useNavigate()
  const current = organizations.find(({ id }) => id === currentOrganizationId())
  if (organizations.length < 2) return <div className={classes.organization}>{current?.name}</div>
  const select = async (id: string) => {
    selectOrganization(organizations, id)
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'identity' })
    await navigate(paths.home())
  }
  return (
    <LazyMenu
      text={current?.name}
      label={`Organization ${current?.name ?? ''}, switch`}
      position="bottom-start"
      entries={organizations.map(({ id, name }) => ({
        label: name,
        isChecked: id === current?.id,
        onSelect: () => void select(id),
      }))}
    />
  )
}
