import { TextInput } from '@mantine/core'
import type { z } from 'zod'

import type { NotificationType } from '#contract/notification-types.ts'
import { updateWebhook, type Webhook } from '#contract/webhooks.ts'
import { changeWebhook } from '#src/api/webhooks.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import formParts from '#src/ui/form-parts.module.css'
import { TypesField } from './TypesField.tsx'

type Body = z.input<typeof updateWebhook.body>

/** The address is not shown whole, so an empty field keeps it. */
export function EditWebhookForm({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const form = useForm({
    initialValues: { name: webhook.name, url: '', isAll: !webhook.types, types: webhook.types ?? [] },
    schema: updateWebhook.body as z.ZodType<unknown, Body>,
    toBody: ({ name, url, isAll, types }): Body => ({
      name,
      ...(url.trim() !== '' && { url }),
      types: isAll ? null : (types as NotificationType[]),
    }),
    send: (body) => changeWebhook({ ...body, webhookId: webhook.id }),
    onSent: onDone,
  })
  const { isAll, types } = form.values
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate autoComplete="off">
      <TextInput label="Name" maxLength={100} {...form.getInputProps('name')} data-autofocus />
      <TextInput
        label="New address"
        description="Leave empty to keep the address. Waiting deliveries are sent to the new one."
        placeholder={webhook.url}
        type="url"
        {...form.getInputProps('url')}
      />
      <TypesField
        isAll={isAll}
        types={types}
        error={form.errors['types']}
        onChange={(change) => form.setValues(change)}
      />
      <FormFoot form={form} failed="The webhook was not changed" verb="Save" />
    </form>
  )
}
