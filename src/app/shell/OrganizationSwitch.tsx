import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useNavigate } from 'react-router'

import type { Organization } from '#contract/identity.ts'
import { currentOrganizationId, selectOrganization } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import classes from './Shell.module.css'

/** The organization everything on the page belongs to; a menu when the key sees several. */
export function OrganizationSwitch({ organizations }: { organizations: readonly Organization[] }) {
  const navigate = useNavigate()
  const current = organizations.find(({ id }) => id === currentOrganizationId())
  if (organizations.length < 2) return <div className={classes.organization}>{current?.name}</div>
  const select = async (organization: Organization) => {
    selectOrganization(organizations, organization.id)
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'identity' })
    await navigate(paths.home())
  }
  return (
    <Menu position="bottom-start" shadow="sm" width={192}>
      <Menu.Target>
        <UnstyledButton className={classes.navButton} aria-label={`Organization ${current?.name ?? ''}, switch`}>
          <span className={classes.grow}>{current?.name}</span>
          <IconSelector size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.map((organization) => (
          <Menu.Item
            key={organization.id}
            onClick={() => void select(organization)}
            rightSection={organization === current && <IconCheck size={14} aria-label="current" />}
          >
            {organization.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
