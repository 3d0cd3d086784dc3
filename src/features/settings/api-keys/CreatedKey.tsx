import { Button } from '@mantine/core'

import type { NewApiKey } from '#contract/api-keys.ts'
import { exactTime } from '#src/format/dates.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { ShownOnce } from '#src/ui/ShownOnce.tsx'
import classes from './api-keys.module.css'

type Props = { created: NewApiKey; onDone: () => void; oldKeyEnds?: string | undefined }

/** The only place that ever shows a key. It is gone when the dialog closes. */
export function CreatedKey({ created: { key, apiKey }, onDone, oldKeyEnds }: Props) {
  return (
    <div className={classes.form}>
      <Notice title="Copy the key now.">It is not stored and can’t be shown again.</Notice>
      <ShownOnce label={`Key “${apiKey.name}”`} value={key} what="key" />
      <p className={classes.note}>
        {apiKey.expiresAt ? `It expires on ${exactTime(apiKey.expiresAt)}.` : 'It never expires.'} {oldKeyEnds}
      </p>
      <p className={classes.note}>Send it as a header with every request:</p>
      <code className={classes.example}>Authorization: Bearer $ASSAY_API_KEY</code>
      <Button variant="default" className={classes.verb} onClick={onDone}>
        I have saved the key
      </Button>
    </div>
  )
}
