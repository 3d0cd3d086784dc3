import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import type { Webhook } from '#contract/webhooks.ts'
import { changeWebhook, removeWebhook, sendTest } from '#src/api/webhooks.ts'
import { paths } from '#src/paths.ts'
import { confirm } from '#src/ui/confirm.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import formParts from '#src/ui/form-parts.module.css'
import classes from './webhooks.module.css'

/** The verbs of one webhook. A test opens its delivery, which shows the answer. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { id, name, kind, stopReason } = webhook
  const url = useQueryState()
  const navigate = useNavigate()
  const testing = useMutation({
    mutationFn: () => sendTest(id),
    onSuccess: ({ delivery }) => url.push({ delivery: delivery.id }),
  })
  const pausing = useMutation({
    mutationFn: () => changeWebhook({ webhookId: id, isPaused: stopReason === undefined }),
  })
  const removing = useMutation({
    mutationFn: () => removeWebhook(id),
    onSuccess: () => navigate(paths.settings('webhooks')),
  })
  const failure = testing.error ?? pausing.error ?? removing.error
  const askRemove = () =>
    confirm({
      title: `Delete “${name}”?`,
      lost: 'Its log and its waiting deliveries are deleted. This can’t be undone.',
      verb: 'Delete webhook',
      onConfirm: () => removing.mutate(),
    })
  return (
    <div className={formParts.verbs}>
      <Button loading={testing.isPending} onClick={() => testing.mutate()}>
        Send test
      </Button>
      <Button variant="default" onClick={() => url.push({ edit: '1' })}>
        Edit
      </Button>
      {kind === 'webhook' && (
        <Button variant="default" onClick={() => url.push({ rotate: '1' })}>
          Rotate secret
        </Button>
      )}
      <Button variant="default" loading={pausing.isPending} onClick={() => pausing.mutate()}>
        {stopReason ? 'Resume' : 'Pause'}
      </Button>
      <Button variant="default" loading={removing.isPending} onClick={askRemove}>
        Delete
      </Button>
      {failure && (
        <p role="alert" className={classes.failure}>
          {failure.message}
        </p>
      )}
    </div>
  )
}
