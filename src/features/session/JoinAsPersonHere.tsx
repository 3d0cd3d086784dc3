import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { organizationPath } from '#contract/organization-path.ts'
import { joinAsPersonHere } from '#src/api/invitations.ts'
import { signOut } from '#src/api/session.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './join.module.css'

/** For a person who is signed in: their key gets access too. */
export function JoinAsPersonHere({ token, organizationName }: { token: string; organizationName: string }) {
  const joining = useMutation({
    mutationFn: () => joinAsPersonHere(token),
    // Loads a new page, because this session now has another organization.
    onSuccess: ({ slug }) => window.location.assign(organizationPath(slug, '/')),
  })
  return (
    <>
      <p className={classes.text}>
        You are signed in. The API key of this session gets access to <bdi>{organizationName}</bdi> too.
      </p>
      <Button size="sm" loading={joining.isPending || joining.isSuccess} onClick={() => joining.mutate()}>
        Join
      </Button>
      {joining.error && <ErrorNotice title="You have not joined" error={joining.error} />}
    </>
  )
}

/** For the wrong person: the link stays unused. */
export function SignOutFirst({ signedInAs, email }: { signedInAs: string; email: string }) {
  const leaving = useMutation({ mutationFn: () => signOut('here'), onSuccess: () => window.location.reload() })
  return (
    <>
      <Notice title={`You are signed in as ${signedInAs}.`}>
        The invitation is for {email}. Sign out to join as that person.
      </Notice>
      <Button
        size="sm"
        variant="default"
        loading={leaving.isPending || leaving.isSuccess}
        onClick={() => leaving.mutate()}
      >
        Sign out
      </Button>
      {leaving.error && <ErrorNotice title="You are still signed in" error={leaving.error} />}
    </>
  )
}
