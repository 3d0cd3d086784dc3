import { Anchor, Button } from '@mantine/core'

import { organizationPath } from '#contract/organization-path.ts'
import { signOut } from '#src/api/session.ts'
import { paths } from '#src/paths.ts'
import type { UnseenOrganization } from './unseen-organization.ts'
import classes from './UnseenOrganizationPage.module.css'

/** Instead of the pages of an organization that this person does not see: the ones they do, and the way to be somebody else. */
export function UnseenOrganizationPage({ error: { slug, seen } }: { error: UnseenOrganization }) {
  const leave = async () => {
    await signOut('here')
    window.location.assign(paths.signIn())
  }
  return (
    <main className={classes.page}>
      <title>Not your organization · Assay</title>
      <h1 className={classes.title}>You cannot open this organization</h1>
      <p className={classes.text}>
        Your key does not see “{slug}”, or there is no such organization. Who runs it can give you a key that does.
      </p>
      {seen.length > 0 && (
        <nav aria-label="Your organizations">
          <p className={classes.text}>These are yours:</p>
          <ul className={classes.list}>
            {seen.map((organization) => (
              <li key={organization.id}>
                <Anchor href={organizationPath(organization.slug, paths.home())}>{organization.name}</Anchor>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Button variant="default" onClick={() => void leave()}>
        Sign in with another key
      </Button>
    </main>
  )
}
