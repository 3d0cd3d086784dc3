import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import { referenceTo } from '#contract/secret-references.ts'
import { type Secret, SecretSlug, SecretValue } from '#contract/secrets.ts'
import { fieldFault } from '#src/api/errors.ts'
import { saveSecret, secretOptions } from '#src/api/secrets.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { counted } from '#src/format/numbers.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import classes from './secrets.module.css'
import { ValueField } from './ValueField.tsx'

/** What saving does to a secret that is there; `isMeant` when that is what somebody set out to do. */
const ExistingNotice = ({ secret, isMeant }: { secret: Secret; isMeant: boolean }) => (
  <Notice title={isMeant ? 'This replaces the current value.' : `${secret.slug} already exists.`}>
    {!isMeant && 'Saving replaces its value. '}
    Updated <RelativeTime at={secret.updatedAt} /> by {secret.updatedBy.name};{' '}
    {secret.usedBy.length === 0
      ? 'no experiment uses it.'
      : `${counted(secret.usedBy.length, 'experiment')} ${secret.usedBy.length === 1 ? 'uses' : 'use'} it.`}{' '}
    Running agents keep the old value. Leaving the description empty clears it.
  </Notice>
)

type Props = { start: string; replaced: Secret | null; onDone: () => void }

const firstFault = (checked: { error?: { issues: { message: string }[] } }) => checked.error?.issues[0]?.message

/** Creates or replaces. The value lives in this form alone: it is no variable of a mutation and in no cache. */
export function SecretForm({ start, replaced, onDone }: Props) {
  const [slug, setSlug] = useState(start)
  const [value, setValue] = useState('')
  const [description, setDescription] = useState(replaced?.description ?? '')
  const [wasSent, setWasSent] = useState(false)
  const [askedSlug] = useDebouncedValue(slug, 200)
  const { data: sameSlug } = useQuery(secretOptions(askedSlug))
  const existing = replaced ?? (askedSlug === slug ? (sameSlug ?? null) : null)
  const saving = useMutation({
    mutationFn: () => saveSecret({ slug, value, ...(description.trim() !== '' && { description }) }),
    onSuccess: onDone,
    gcTime: 0,
  })
  const slugFault = slug === '' && !wasSent ? undefined : firstFault(SecretSlug.safeParse(slug))
  const valueFault = value === '' && !wasSent ? undefined : firstFault(SecretValue.safeParse(value))
  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (SecretSlug.safeParse(slug).success && SecretValue.safeParse(value).success) saving.mutate()
  }
  return (
    <form className={classes.form} onSubmit={send} noValidate autoComplete="off">
      {!replaced && (
        <TextInput
          label="Slug"
          description={`Definitions refer to it as ${referenceTo(slug || '<slug>')}`}
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value.trim())}
          error={slugFault ?? fieldFault(saving.error, 'slug')}
          classNames={{ input: classes.mono }}
          spellCheck={false}
          data-autofocus={start === '' || undefined}
        />
      )}
      {existing && <ExistingNotice secret={existing} isMeant={replaced !== null} />}
      <ValueField
        value={value}
        onChange={setValue}
        error={valueFault ?? fieldFault(saving.error, 'value')}
        isFirst={start !== ''}
      />
      <TextInput
        label="Description"
        description={
          existing?.description && description.trim() === ''
            ? 'Leave empty to clear the current description'
            : 'Optional: what it’s for and who owns it'
        }
        value={description}
        maxLength={1000}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={fieldFault(saving.error, 'description')}
      />
      {saving.error && <ErrorNotice title="The secret was not saved" error={saving.error} />}
      <Button type="submit" loading={saving.isPending} className={classes.verb}>
        {existing ? 'Replace' : 'Create'}
      </Button>
    </form>
  )
}
