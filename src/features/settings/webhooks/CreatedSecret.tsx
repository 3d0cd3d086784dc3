import { Button } from '@mantine/core'

import type { NewWebhook } from '#contract/webhooks.ts'
import { exactTime } from '#src/format/dates.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { ShownOnce } from '#src/ui/ShownOnce.tsx'
import classes from './webhooks.module.css'

/** The only place that ever shows the secret. */
export function CreatedSecret({ created: { webhook, secret }, onDone }: { created: NewWebhook; onDone: () => void }) {
  return (
    <div className={classes.form}>
      <Notice title="Copy the secret now.">It can’t be shown again.</Notice>
      <ShownOnce label={`Secret of “${webhook.name}”`} value={secret} what="secret" />
      <p className={classes.note}>
        The receiver uses this secret to verify that a request comes from Assay. See the Standard Webhooks
        specification.
        {webhook.overlapEndsAt &&
          ` Requests are also signed with the old secret until ${exactTime(webhook.overlapEndsAt)}.`}
      </p>
      <Button variant="default" className={classes.verb} onClick={onDone}>
        I have saved the secret
      </Button>
    </div>
  )
}
