import { useState } from 'react'

import type { NewWebhook, Webhook } from '#contract/webhooks.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { CreatedSecret } from './CreatedSecret.tsx'
import { EditWebhookForm } from './EditWebhookForm.tsx'
import { RotateSecretForm } from './RotateSecretForm.tsx'

/** Open while the URL has `edit` or `rotate`. The new secret is never in the URL or a cache. */
export function WebhookDialogs({ webhook }: { webhook: Webhook }) {
  const url = useQueryState()
  const [created, setCreated] = useState<NewWebhook | null>(null)
  const close = () => {
    setCreated(null)
    url.push({ edit: null, rotate: null })
  }
  if (created)
    return (
      // A stray click or key must not lose the secret.
      <Dialog opened onClose={close} closeOnClickOutside={false} closeOnEscape={false} title="The new secret">
        <CreatedSecret created={created} onDone={close} />
      </Dialog>
    )
  if (url.one('edit') !== '')
    return (
      <Dialog opened onClose={close} title={`Edit “${webhook.name}”`}>
        <EditWebhookForm webhook={webhook} onDone={close} />
      </Dialog>
    )
  if (url.one('rotate') === '') return null
  return (
    <Dialog opened onClose={close} title={`Rotate the secret of “${webhook.name}”`}>
      <RotateSecretForm webhook={webhook} onRotated={setCreated} />
    </Dialog>
  )
}
