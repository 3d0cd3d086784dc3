import { Button, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import type { NewApiKey } from '#contract/api-keys.ts'
import { exactTime } from '#src/format/dates.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './api-keys.module.css'

type Props = { created: NewApiKey; onDone: () => void; oldKeyEnds?: string | undefined }

/** The only place that ever shows a key. It is gone when the dialog closes. */
export function CreatedKey({ created: { key, apiKey }, onDone, oldKeyEnds }: Props) {
  const clipboard = useClipboard({ timeout: 2000 })
  return (
    <div className={classes.form}>
      <Notice title="Copy the key now.">It is not stored and can’t be shown again.</Notice>
      <div className={classes.key}>
        <TextInput
          label={`Key “${apiKey.name}”`}
          value={key}
          readOnly
          classNames={{ input: classes.mono }}
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
        <Button
          size="sm"
          leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => clipboard.copy(key)}
        >
          {clipboard.copied ? 'Copied' : 'Copy key'}
        </Button>
      </div>
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
