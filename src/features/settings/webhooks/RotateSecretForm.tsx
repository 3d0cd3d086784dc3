import { Button, NativeSelect } from '@mantine/core'

import type { z } from 'zod'

import { type NewWebhook, rotateWebhookSecret, type Webhook } from '#contract/webhooks.ts'
import { rotateSecret } from '#src/api/webhooks.ts'
import { overlaps } from '#src/features/settings/api-keys/overlaps.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './webhooks.module.css'

type Body = z.input<typeof rotateWebhookSecret.body>
type Props = { webhook: Webhook; onRotated: (created: NewWebhook) => void }

/** Both secrets sign until the overlap ends, so that the receiver can be changed without a gap. */
export function RotateSecretForm({ webhook, onRotated }: Props) {
  const form = useForm({
    initialValues: { overlap: '24' },
    schema: rotateWebhookSecret.body as z.ZodType<unknown, Body>,
    toBody: ({ overlap }): Body => ({ overlapHours: Number(overlap) }),
    send: (body: Body): Promise<NewWebhook> => rotateSecret({ ...body, webhookId: webhook.id }),
    onSent: onRotated,
    fieldOf: (path) => (path === 'overlapHours' ? 'overlap' : path),
  })
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      <p className={classes.note}>Requests are signed with both secrets until the old one expires.</p>
      <NativeSelect label="The old secret expires" data={overlaps} {...form.getInputProps('overlap')} data-autofocus />
      {form.failure && <ErrorNotice title="The secret was not rotated" error={form.failure} />}
      <Button type="submit" loading={form.isPending} className={classes.verb}>
        Rotate secret
      </Button>
    </form>
  )
}
