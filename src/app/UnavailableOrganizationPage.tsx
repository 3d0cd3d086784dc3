import { Anchor, Button } from '@mantine/core'

import { organizationPath } from '#contract/organization-path.ts'
import { paths } from '#src/paths.ts'
import { leave } from '#src/features/session/leave.ts'
import type { UnavailableOrganization } from './unavailable-organization.ts'
import classes from './UnavailableOrganizationPage.module.css'

/** Shown when the caller has no access to the organization. Lists their organizations and offers another key. */
export function UnavailableOrganizationPage({ error: { slug, available } }: { error: UnavailableOrganization }) {
  return (
    <main className={classes.page}>
      <title>No access · Assay</title>
      <h1 className={classes.title}>You don’t have access to “{slug}”</h1>
      <p className={classes.text}>It may not exist, or your key may not include it. Ask an admin for access.</p>
      {available.length > 0 && (
        <nav aria-label="Your organizations">
          <p className={classes.text}>Your organizations:</p>
          <ul className={classes.list}>
            {available.map((organization) => (
              <li key={organization.id}>
                <Anchor href={organizationPath(organization.slug, paths.home())}>{organization.name}</Anchor>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Button variant="default" onClick={() => void leave('here')}>
        Sign in with another key
      </Button>
    </main>
  )
}
