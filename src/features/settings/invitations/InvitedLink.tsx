import { Button } from '@mantine/core'

import type { NewInvitation } from '#contract/invitations.ts'
import { exactTime } from '#src/format/dates.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { ShownOnce } from '#src/ui/ShownOnce.tsx'
import classes from './invitations.module.css'

type Props = { created: NewInvitation; onDone: () => void }

/** The only place that ever shows the link. */
export function InvitedLink({ created: { invitation, link }, onDone }: Props) {
  return (
    <div className={classes.form}>
      <Notice title="Copy the link now.">It is not stored and can’t be shown again.</Notice>
      <ShownOnce label={`Link for ${invitation.email}`} value={link} what="link" />
      <p className={classes.note}>
        Send it to {invitation.email} only: anyone who opens it can join as them. It makes them{' '}
        {invitation.role === 'admin' ? 'an admin' : 'a member'}, works once, and expires on{' '}
        {exactTime(invitation.expiresAt)}.
      </p>
      <Button variant="default" className={classes.verb} onClick={onDone}>
        I have copied the link
      </Button>
    </div>
  )
}
