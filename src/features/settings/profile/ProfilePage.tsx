import { useSuspenseQuery } from '@tanstack/react-query'

import { unprovenMessage } from '#contract/identity.ts'
import { plainName } from '#contract/marked-name.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { setOwnName } from '#src/api/names.ts'
import { NameForm } from '#src/features/settings/NameForm.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { OwnSessions } from './OwnSessions.tsx'

/** The caller's own name and sessions. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { name, email = '' } = caller.actor
  const plain = plainName(name, email)
  if (caller.keyKind !== 'personal')
    return (
      <EmptyState isPage title="Profile" hint="You are signed in with an organization key, which has no profile." />
    )
  return (
    <>
      <title>Profile · Assay</title>
      <PageHeader title="Profile" facts={`You are ${email}.`} />
      {caller.isUnproven ? (
        <Notice title="Confirm your email address">{unprovenMessage}.</Notice>
      ) : (
        <>
          <NameForm
            label="Display name"
            hint={
              plain === name
                ? 'Others see this name beside your runs and reports, in every organization.'
                : `Somebody else has this name, so others see you as ${name}.`
            }
            name={plain}
            save={setOwnName}
          />
          <OwnSessions />
        </>
      )}
    </>
  )
}
