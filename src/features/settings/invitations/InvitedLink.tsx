import { Button } from '@mantine/core'

import type { NewInvitation } from '#contract/invitations.ts'
import { exactTime } from '#src/format/dates.ts'
import { withArticle } from '#src/format/role.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { CopyField } from '#src/ui/CopyField.tsx'
import formParts from '#src/ui/form-parts.module.css'
import mutedText from '#src/ui/muted-text.module.css'

type Props = { created: NewInvitation; onDone: () => void }

/** The only place that ever shows the link. */
export function InvitedLink({ created: { invitation, link, isEmailed }, onDone }: Props) {
  return (
    <div className={formParts.roomyForm}>
      {isEmailed ? (
        <Notice title="The link was emailed.">
          If the email does not arrive, send the link yourself. It can’t be shown again.
        </Notice>
      ) : (
        <Notice title="Copy the link now.">
          {isEmailed === false && 'It could not be emailed. '}It is not stored and can’t be shown again.
        </Notice>
      )}
      <CopyField isShownOnce label={`Link for ${invitation.email}`} value={link} what="link" />
      <p className={mutedText.explanation}>
        {isEmailed ? 'It is for' : 'Send it to'} {invitation.email} only: anyone who opens it can join as them. It makes
        them {withArticle(invitation.role)}, works once, and expires on {exactTime(invitation.expiresAt)}.
      </p>
      <Button variant="default" className={formParts.verb} onClick={onDone}>
        {isEmailed ? 'Done' : 'I have copied the link'}
      </Button>
    </div>
  )
}
