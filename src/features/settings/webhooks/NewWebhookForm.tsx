import { SegmentedControl, TextInput } from '@mantine/core'
import type { z } from 'zod'

import type { NotificationType } from '#contract/notification-types.ts'
import { createWebhook, type NewWebhook, type WebhookKind } from '#contract/webhooks.ts'
import { addWebhook } from '#src/api/webhooks.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import formParts from '#src/ui/form-parts.module.css'
import { TypesField } from './TypesField.tsx'
import classes from './webhooks.module.css'

const hints: Record<WebhookKind, string> = {
  webhook: 'Gets signed JSON. It must start with https:// and lead to a public address.',
  slack: 'The address of an incoming webhook of Slack, Mattermost or a chat with the same messages.',
}

type Body = z.input<typeof createWebhook.body>

export function NewWebhookForm({ onCreated }: { onCreated: (created: NewWebhook) => void }) {
  const form = useForm({
    initialValues: { name: '', kind: 'webhook' as WebhookKind, url: '', isAll: true, types: [] as string[] },
    schema: createWebhook.body as z.ZodType<unknown, Body>,
    toBody: ({ isAll, types, ...body }): Body => ({ ...body, ...(!isAll && { types: types as NotificationType[] }) }),
    send: addWebhook,
    onSent: onCreated,
  })
  const { kind, isAll, types } = form.values
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate autoComplete="off">
      <TextInput
        label="Name"
        description="A name for the list, such as “Nightly build” or “#results”"
        maxLength={100}
        {...form.getInputProps('name')}
        data-autofocus
      />
      <fieldset className={classes.types}>
        <legend>Kind</legend>
        <SegmentedControl
          size="xs"
          data={[
            { value: 'webhook', label: 'Webhook' },
            { value: 'slack', label: 'Slack' },
          ]}
          value={kind}
          onChange={(value) => form.setFieldValue('kind', value as WebhookKind)}
        />
      </fieldset>
      <TextInput label="Address" description={hints[kind]} type="url" {...form.getInputProps('url')} />
      <TypesField
        isAll={isAll}
        types={types}
        error={form.errors['types']}
        onChange={(change) => form.setValues(change)}
      />
      <FormFoot form={form} failed="The webhook was not added" verb="Add webhook" />
    </form>
  )
}
