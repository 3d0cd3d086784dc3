import { Button, TextInput } from '@mantine/core'

import { useState } from 'react'

import { approveKey as approveEndpoint } from '#contract/api-keys.ts'
import { approveKey } from '#src/api/api-keys.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { whoamiOptions } from '#src/api/identity.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { serverNow } from '#src/format/server-clock.ts'
import formParts from '#src/ui/form-parts.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './api-keys.module.css'
import { type Lifetime, toExpiresAt } from './expiry.ts'
import { ExpiryFields } from './ExpiryFields.tsx'

/** What `assay login` writes into the address: the key itself stays on the machine that made it. */
export type MadeKey = { hash: string; prefix: string; name: string }

export function ApproveKey({ made, onDone }: { made: MadeKey; onDone: () => void }) {
  const [isApproved, setApproved] = useState(false)
  if (!isApproved) return <ApproveForm made={made} onApproved={() => setApproved(true)} />
  return (
    <div className={formParts.roomyForm}>
      <Notice title="The key is approved.">You can go back to the terminal.</Notice>
      <Button variant="default" className={formParts.verb} onClick={onDone}>
        Close
      </Button>
    </div>
  )
}

function ApproveForm({ made, onApproved }: { made: MadeKey; onApproved: () => void }) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const organization = caller.organizations.find(({ id }) => id === currentOrganizationId())
  const form = useForm({
    initialValues: { name: made.name, lifetime: '90' as Lifetime, date: '' },
    schema: approveEndpoint.body,
    toBody: ({ name, ...expiry }) => ({
      hash: made.hash,
      prefix: made.prefix,
      name,
      expiresAt: toExpiresAt(expiry, serverNow()),
    }),
    send: approveKey,
    onSent: onApproved,
    fieldOf: (path) => (path === 'expiresAt' ? 'date' : path),
  })
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate autoComplete="off">
      <p className={mutedText.explanation}>
        A program asks to act as you in <bdi>{organization?.name}</bdi>. Its key starts with
      </p>
      <code className={classes.example}>{made.prefix}…</code>
      <Notice title="Approve it only if you ran assay login just now">
        and your terminal shows the same start. Whoever has the key can read and change everything that you can.
      </Notice>
      <TextInput label="Name" maxLength={100} {...form.getInputProps('name')} data-autofocus />
      <ExpiryFields form={form} />
      <FormFoot form={form} failed="The key was not approved" verb="Approve key" />
    </form>
  )
}
