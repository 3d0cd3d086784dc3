import { Button } from '@mantine/core'

import type { NewWebhook } from '#contract/webhooks.ts'
import { exactTime } from '#src/format/dates.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { CopyField } from '#src/ui/CopyField.tsx'
import formParts from '#src/ui/form-parts.module.css'
import mutedText from '#src/ui/muted-text.module.css'

/** The only place that ever shows the secret. */
export function CreatedSecret({ created: { webhook, secret }, onDone }: { created: NewWebhook; onDone: () => void }) {
  return (
    <div className={formParts.roomyForm}>
      <Notice title="Copy the secret now.">It can’t be shown again.</Notice>
      <CopyField isShownOnce label={`Secret of “${webhook.name}”`} value={secret} what="secret" />
      <p className={mutedText.explanation}>
        The receiver uses this secret to verify that a request comes from Assay. See the Standard Webhooks
        specification.
        {webhook.overlapEndsAt &&
          ` Requests are also signed with the old secret until ${exactTime(webhook.overlapEndsAt)}.`}
      </p>
      <Button variant="default" className={formParts.verb} onClick={onDone}>
        I have saved the secret
      </Button>
    </div>
  )
}
