import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'

import { invitationToken, type InvitationView, noSuchLink } from '#contract/invitations.ts'
import { invitationOptions, personHereOptions } from '#src/api/invitations.ts'
import { sessionOptions } from '#src/api/session.ts'
import { calendarDay } from '#src/format/dates.ts'
import { withArticle } from '#src/format/role.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { SignedOutPage } from './SignedOutPage.tsx'
import { signInProblem } from './sign-in-problems.ts'
import classes from './join.module.css'
import { JoinAsPersonHere, SignOutFirst } from './JoinAsPersonHere.tsx'
import { JoinWithNewKey } from './JoinWithNewKey.tsx'
import { SignInToJoin } from './SignInToJoin.tsx'

/** The page of an invitation's link, whose token is in the fragment. Nobody needs to be signed in. */
export function Component() {
  const token = useLocation().hash.slice(1)
  return (
    <SignedOutPage title="Join an organization">
      {invitationToken.test(token) ? (
        <Invited key={token} token={token} />
      ) : (
        <CannotJoin error={{ message: noSuchLink }} />
      )}
    </SignedOutPage>
  )
}

function Invited({ token }: { token: string }) {
  const [searchParams] = useSearchParams()
  const { data: session } = useSuspenseQuery(sessionOptions)
  const invitation = useQuery(invitationOptions(token))
  const person = useQuery(personHereOptions(session.signedIn))
  const error = invitation.error ?? person.error
  if (error) return <CannotJoin error={error} />
  if (!invitation.data || person.data === undefined) return <Loading />
  const problem = signInProblem(searchParams.get('problem'))
  return (
    <>
      <Terms invitation={invitation.data} />
      {problem && <ErrorNotice title={problem.title} error={problem} />}
      <WayToJoin
        token={token}
        invitation={invitation.data}
        signedInAs={person.data?.actor.email ?? person.data?.actor.name ?? null}
        provider={session.identityProvider}
      />
    </>
  )
}

const Loading = () => (
  <>
    <h1 className={classes.title}>Join an organization</h1>
    <p aria-live="polite">Loading the invitation…</p>
  </>
)

function Terms({
  invitation: { organizationName, invitedBy, email, role, expiresAt },
}: {
  invitation: InvitationView
}) {
  return (
    <div className={classes.terms}>
      <h1 className={classes.title}>
        Join <bdi>{organizationName}</bdi>
      </h1>
      <p className={classes.text}>
        <bdi>{invitedBy ?? 'The operator of this installation'}</bdi> invited <strong>{email}</strong> to{' '}
        <bdi>{organizationName}</bdi> on Assay as {withArticle(role)}. The link expires on {calendarDay(expiresAt)}.
      </p>
    </div>
  )
}

type WayProps = { token: string; invitation: InvitationView; signedInAs: string | null; provider: string | undefined }

function WayToJoin({ token, invitation, signedInAs, provider }: WayProps) {
  if (signedInAs === invitation.email)
    return <JoinAsPersonHere token={token} organizationName={invitation.organizationName} />
  if (signedInAs !== null) return <SignOutFirst signedInAs={signedInAs} email={invitation.email} />
  if (invitation.mustSignIn) return <SignInToJoin token={token} provider={provider} />
  return <JoinWithNewKey token={token} provider={provider} />
}

function CannotJoin({ error }: { error: { message: string } }) {
  return (
    <>
      <h1 className={classes.title}>You can’t join with this link</h1>
      <p role="alert" className={classes.text}>
        {error.message}.
      </p>
      <Button component={Link} to={paths.home()} variant="default" size="sm">
        Open Assay
      </Button>
    </>
  )
}
