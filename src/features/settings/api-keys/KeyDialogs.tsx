import { useState } from 'react'
import { Button } from '@mantine/core'

import type { ApiKey, NewApiKey } from '#contract/api-keys.ts'
import type { KeyScope } from '#src/api/api-keys.ts'
import { exactTime } from '#src/format/dates.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { CopyField } from '#src/ui/CopyField.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import formParts from '#src/ui/form-parts.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import { ApproveKey } from './ApproveKey.tsx'
import { NewKeyForm } from './NewKeyForm.tsx'
import { describeOverlap } from './overlaps.ts'
import { RotateForm } from './RotateForm.tsx'
import classes from './api-keys.module.css'

type Props = { scope: KeyScope; keys: readonly ApiKey[] | undefined }

/** Open while the URL has `new`, `approve` (the hash of a key) or `rotate` (the id of a key). The new key itself is never in the URL or a cache. */
export function KeyDialogs({ scope, keys }: Props) {
  const url = useQueryState()
  const [created, setCreated] = useState<{ key: NewApiKey; oldKeyEnds?: string } | null>(null)
  const rotated = keys?.find(({ id }) => id === url.one('rotate'))
  const close = () => {
    setCreated(null)
    url.push({ new: null, rotate: null, approve: null, prefix: null, name: null })
  }
  if (created)
    return (
      // A stray click or key must not lose the key.
      <Dialog opened onClose={close} closeOnClickOutside={false} closeOnEscape={false} title="Your new key">
        <CreatedKey created={created.key} oldKeyEnds={created.oldKeyEnds} onDone={close} />
      </Dialog>
    )
  const approve = url.one('approve')
  if (scope === 'own' && approve !== '')
    return (
      <Dialog opened onClose={close} title="Approve a key">
        <ApproveKey
          key={approve}
          made={{ hash: approve, prefix: url.one('prefix'), name: url.one('name') }}
          onDone={close}
        />
      </Dialog>
    )
  if (url.one('new') !== '')
    return (
      <Dialog opened onClose={close} title={scope === 'own' ? 'New API key' : 'New organization key'}>
        <NewKeyForm scope={scope} onCreated={(key) => setCreated({ key })} />
      </Dialog>
    )
  if (!rotated) return null
  return (
    <Dialog opened onClose={close} title={`Rotate “${rotated.name}”`}>
      <RotateForm
        key={rotated.id}
        apiKey={rotated}
        scope={scope}
        onRotated={(key, overlap) => setCreated({ key, oldKeyEnds: describeOverlap(overlap) })}
      />
    </Dialog>
  )
}

type CreatedKeyProps = { created: NewApiKey; onDone: () => void; oldKeyEnds?: string | undefined }

/** The only place that ever shows a key. It is gone when the dialog closes. */
function CreatedKey({ created: { key, apiKey }, onDone, oldKeyEnds }: CreatedKeyProps) {
  return (
    <div className={formParts.roomyForm}>
      <Notice title="Copy the key now.">It is not stored and can’t be shown again.</Notice>
      <CopyField isShownOnce label={`Key “${apiKey.name}”`} value={key} what="key" />
      <p className={mutedText.explanation}>
        {apiKey.expiresAt ? `It expires on ${exactTime(apiKey.expiresAt)}.` : 'It never expires.'} {oldKeyEnds}
      </p>
      <p className={mutedText.explanation}>Send it as a header with every request:</p>
      <code className={classes.example}>Authorization: Bearer $ASSAY_API_KEY</code>
      <Button variant="default" className={formParts.verb} onClick={onDone}>
        I have saved the key
      </Button>
    </div>
  )
}
