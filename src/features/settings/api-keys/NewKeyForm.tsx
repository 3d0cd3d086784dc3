import { TextInput } from '@mantine/core'
import type { z } from 'zod'

import { createOrganizationKey, createOwnKey, type NewApiKey } from '#contract/api-keys.ts'
import type { Role } from '#contract/identity.ts'
import { createKeyOfMine, createKeyOfOrganization, type KeyScope } from '#src/api/api-keys.ts'
import { RoleField } from '#src/features/settings/RoleField.tsx'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { serverNow } from '#src/format/server-clock.ts'
import formParts from '#src/ui/form-parts.module.css'
import { type Lifetime, toExpiresAt } from './expiry.ts'
import { ExpiryFields } from './ExpiryFields.tsx'

type Props = { scope: KeyScope; onCreated: (created: NewApiKey) => void }
type Body = { name: string; role?: Role; expiresAt?: string | undefined }

/** A personal key has the role of its owner, so only the form for an organization's key asks for one. */
export function NewKeyForm({ scope, onCreated }: Props) {
  const isOwn = scope === 'own'
  const form = useForm({
    initialValues: { name: '', role: 'member' as Role, lifetime: '90' as Lifetime, date: '' },
    schema: (isOwn ? createOwnKey.body : createOrganizationKey.body) as z.ZodType<unknown, Body>,
    toBody: ({ name, role, ...expiry }): Body => ({
      name,
      expiresAt: toExpiresAt(expiry, serverNow()),
      ...(!isOwn && { role }),
    }),
    send: ({ role = 'member', ...body }: Body): Promise<NewApiKey> =>
      isOwn ? createKeyOfMine(body) : createKeyOfOrganization({ ...body, role }),
    onSent: onCreated,
    fieldOf: (path) => (path === 'expiresAt' ? 'date' : path),
  })
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate autoComplete="off">
      <TextInput
        label="Name"
        description="What uses it, such as “Nightly build” or “Laptop”"
        maxLength={100}
        {...form.getInputProps('name')}
        data-autofocus
      />
      {!isOwn && (
        <RoleField value={form.values.role} texts={roleTexts} onChange={(role) => form.setFieldValue('role', role)} />
      )}
      <ExpiryFields form={form} />
      <FormFoot form={form} failed="The key was not created" verb="Create key" />
    </form>
  )
}

const roleTexts: Record<Role, string> = {
  viewer: 'It can only read.',
  member: 'It can read results, push experiments, submit runs and write reports.',
  admin: 'It can also manage members, keys, secrets and credits. Give this to few keys.',
}
