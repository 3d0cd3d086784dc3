import type { Secret } from '#contract/secrets.ts'
import { counted } from '#src/format/numbers.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'

/** What saving does to a secret that is there; `isMeant` when that is what somebody set out to do. */
export const ExistingNotice = ({ secret, isMeant }: { secret: Secret; isMeant: boolean }) => (
  <Notice title={isMeant ? 'This replaces the current value.' : `${secret.slug} already exists.`}>
    {!isMeant && 'Saving replaces its value. '}
    Updated <RelativeTime at={secret.updatedAt} /> by {secret.updatedBy.name};{' '}
    {secret.usedBy.length === 0
      ? 'no experiment uses it.'
      : `${counted(secret.usedBy.length, 'experiment')} ${secret.usedBy.length === 1 ? 'uses' : 'use'} it.`}{' '}
    Running agents keep the old value. Leaving the description empty clears it.
  </Notice>
)
