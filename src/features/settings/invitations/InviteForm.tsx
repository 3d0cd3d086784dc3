import { NativeSelect, TextInput } from '@mantine/core'
import type { z } from 'zod'

import { createInvitation, type NewInvitation } from '#contract/invitations.ts'
import type { Role } from '#contract/identity.ts'
import { limits } from '#contract/wire/limit.ts'
import { invitePerson } from '#src/api/invitations.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { counted } from '#src/format/numbers.ts'
import { RoleField } from '#src/features/settings/RoleField.tsx'
import formParts from '#src/ui/form-parts.module.css'

const { default: usual, max } = limits.invitationDays
const lifetimes = [1, usual, 14, max].map((days) => ({ value: `${days}`, label: counted(days, 'day') }))

const roleTexts: Record<Role, string> = {
  viewer: 'They can read everything and comment on reports, and change nothing else.',
  member: 'They can read results, push experiments, submit runs and write reports.',
  admin: 'They can also manage members, keys, secrets and credits.',
}

type Body = z.input<typeof createInvitation.body>

export function InviteForm({ onInvited }: { onInvited: (created: NewInvitation) => void }) {
  const form = useForm({
    initialValues: { email: '', role: 'member' as Role, expiresInDays: `${usual}` },
    schema: createInvitation.body as z.ZodType<unknown, Body>,
    toBody: ({ expiresInDays, ...body }): Body => ({ ...body, expiresInDays: Number(expiresInDays) }),
    send: invitePerson,
    onSent: onInvited,
    conflictField: 'email',
  })
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate autoComplete="off">
      <TextInput
        label="Email address"
        description="You get a link for this person. Assay also emails it if it can send email."
        type="email"
        {...form.getInputProps('email')}
        data-autofocus
      />
      <RoleField value={form.values.role} texts={roleTexts} onChange={(role) => form.setFieldValue('role', role)} />
      <NativeSelect label="The link expires after" data={lifetimes} {...form.getInputProps('expiresInDays')} />
      <FormFoot form={form} failed="Nobody was invited" verb="Create link" />
    </form>
  )
}
