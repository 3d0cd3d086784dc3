import { NativeSelect } from '@mantine/core'

import { type ApiKey, type NewApiKey, rotateOwnKey } from '#contract/api-keys.ts'
import { type KeyScope, rotateApiKey } from '#src/api/api-keys.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { serverNow } from '#src/format/server-clock.ts'
import formParts from '#src/ui/form-parts.module.css'
import classes from './api-keys.module.css'
import { type Lifetime, toExpiresAt } from './expiry.ts'
import { ExpiryFields } from './ExpiryFields.tsx'
import { overlaps } from './overlaps.ts'

type Props = { apiKey: ApiKey; scope: KeyScope; onRotated: (created: NewApiKey, overlap: string) => void }

/** Both keys work until the overlap ends, so that no call fails while the new key is put in place. */
export function RotateForm({ apiKey, scope, onRotated }: Props) {
  const form = useForm({
    initialValues: { overlap: '24', lifetime: (apiKey.expiresAt ? '90' : 'never') as Lifetime, date: '' },
    schema: rotateOwnKey.body,
    toBody: ({ overlap, ...expiry }) => ({
      overlapHours: Number(overlap),
      expiresAt: toExpiresAt(expiry, serverNow()),
    }),
    send: async (body) => ({
      created: await rotateApiKey(scope, { ...body, keyId: apiKey.id }),
      overlap: String(body.overlapHours),
    }),
    onSent: ({ created, overlap }) => onRotated(created, overlap),
    fieldOf: (path) => (path === 'expiresAt' ? 'date' : path),
  })
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate>
      <p className={classes.words}>
        You get a new key with the same name and access. Replace the old key with it before the old key expires.
      </p>
      <NativeSelect label="The old key expires" data={overlaps} {...form.getInputProps('overlap')} data-autofocus />
      {apiKey.isCurrent && (
        <Notice title="You are signed in with this key.">You will be signed out when the old key expires.</Notice>
      )}
      <ExpiryFields form={form} />
      <FormFoot form={form} failed="The key was not rotated" verb="Rotate key" />
    </form>
  )
}
