import { NativeSelect } from '@mantine/core'

import type { z } from 'zod'

import { type NewWebhook, rotateWebhookSecret, type Webhook } from '#contract/webhooks.ts'
import { rotateSecret } from '#src/api/webhooks.ts'
import { overlaps } from '#src/features/settings/api-keys/overlaps.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import formParts from '#src/ui/form-parts.module.css'
import mutedText from '#src/ui/muted-text.module.css'

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
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate>
      <p className={mutedText.explanation}>Requests are signed with both secrets until the old one expires.</p>
      <NativeSelect label="The old secret expires" data={overlaps} {...form.getInputProps('overlap')} data-autofocus />
      <FormFoot form={form} failed="The secret was not rotated" verb="Rotate secret" />
    </form>
  )
}
