import { useSuspenseQuery } from '@tanstack/react-query'

import { whoamiOptions } from '#src/api/identity.ts'
import { setOwnName } from '#src/api/names.ts'
import { NameForm } from '#src/features/settings/NameForm.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { OwnSessions } from './OwnSessions.tsx'

/** The caller's own name and sessions. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { name, email } = caller.actor
  if (caller.keyKind !== 'personal')
    return (
      <EmptyState isPage title="Profile" hint="You are signed in with an organization key, which has no profile." />
    )
  return (
    <>
      <title>Profile · Assay</title>
      <PageHeader title="Profile" facts={`You are ${email}.`} />
      <NameForm
        label="Display name"
        hint="Others see this name beside your runs and reports, in every organization."
        name={name}
        save={setOwnName}
      />
      <OwnSessions />
    </>
  )
}
