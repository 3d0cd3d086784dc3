import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'

import type { JoinedWithNewKey } from '#contract/invitations.ts'
import { organizationPath } from '#contract/organization-path.ts'
import { JoinAsNew } from '#contract/session.ts'
import { joinAsNewPerson } from '#src/api/invitations.ts'
import { signIn, signInAtProvider } from '#src/api/session.ts'
import { useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { CopyField } from '#src/ui/CopyField.tsx'
import formParts from '#src/ui/form-parts.module.css'

type Props = { token: string; provider: string | undefined }

/** For a new person: they give their name and get their first key, or sign in at the identity provider. */
export function JoinWithNewKey({ token, provider }: Props) {
  const [joined, setJoined] = useState<JoinedWithNewKey | null>(null)
  const form = useForm({
    initialValues: { name: '' },
    schema: JoinAsNew,
    toBody: ({ name }) => ({ token, name }),
    send: joinAsNewPerson,
    onSent: setJoined,
  })
  const leaving = useMutation({ mutationFn: () => signInAtProvider(paths.join(token), { token, ...form.getValues() }) })
  if (joined) return <YourKey joined={joined} />
  const leave = (event: SyntheticEvent) => {
    event.preventDefault()
    form.clearFailure()
    if (!form.validate().hasErrors) leaving.mutate()
  }
  const error = form.failure ?? leaving.error
  return (
    <form className={formParts.roomyForm} onSubmit={provider ? leave : form.submit} noValidate>
      <TextInput
        label="Your name"
        description="Others see this name beside your runs and reports."
        autoComplete="name"
        maxLength={100}
        {...form.getInputProps('name')}
      />
      {provider && (
        <Button type="submit" size="sm" loading={leaving.isPending || leaving.isSuccess}>
          Join with {provider}
        </Button>
      )}
      {provider ? (
        <Button size="sm" variant="default" loading={form.isPending} onClick={() => form.submit()}>
          Join with an API key
        </Button>
      ) : (
        <Button type="submit" size="sm" loading={form.isPending}>
          Join
        </Button>
      )}
      {error && <ErrorNotice title="You have not joined" error={error} />}
    </form>
  )
}

/** The only place that ever shows the key. */
function YourKey({ joined: { key, keyName, organization } }: { joined: JoinedWithNewKey }) {
  const entering = useMutation({
    mutationFn: () => signIn(key),
    onSuccess: () => window.location.assign(organizationPath(organization.slug, '/')),
    gcTime: 0,
  })
  return (
    <div className={formParts.roomyForm}>
      <Notice title="You have joined. Save your API key now.">
        You sign in with it. It is not stored and can’t be shown again.
      </Notice>
      <CopyField isShownOnce label={keyName} value={key} what="key" />
      <Button size="sm" loading={entering.isPending || entering.isSuccess} onClick={() => entering.mutate()}>
        I have saved the key
      </Button>
      {entering.error && <ErrorNotice title="Sign-in failed" error={entering.error} />}
    </div>
  )
}
