import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'

import { referenceTo } from '#contract/secret-references.ts'
import { putSecret, type Secret, SecretSlug } from '#contract/secrets.ts'
import { saveSecret, secretOptions } from '#src/api/secrets.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { counted } from '#src/format/numbers.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import formParts from '#src/ui/form-parts.module.css'
import classes from './secrets.module.css'
import { ValueField } from './ValueField.tsx'

/** Describes how saving changes an existing secret; `isMeant` if the user chose to replace it. */
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

const schema = putSecret.body.extend({ slug: SecretSlug })

/** Creates or replaces a secret. Only this form has the value: no cache does. */
export function SecretForm({ start, replaced, onDone }: Props) {
  const form = useForm({
    initialValues: { slug: start, value: '', description: replaced?.description ?? '' },
    schema,
    toBody: ({ slug, value, description }) => ({ slug, value, ...(description.trim() !== '' && { description }) }),
    send: saveSecret,
    onSent: onDone,
    checkWhileTyping: true,
  })
  const { slug, description } = form.values
  const [askedSlug] = useDebouncedValue(slug, 200)
  const { data: sameSlug } = useQuery(secretOptions(askedSlug))
  const existing = replaced ?? (askedSlug === slug ? (sameSlug ?? null) : null)
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate autoComplete="off">
      {!replaced && (
        <TextInput
          label="Slug"
          description={`Definitions refer to it as ${referenceTo(slug || '<slug>')}`}
          {...form.getInputProps('slug')}
          onChange={(event) => form.setFieldValue('slug', event.currentTarget.value.trim())}
          classNames={{ input: classes.mono }}
          spellCheck={false}
          data-autofocus={start === '' || undefined}
        />
      )}
      {existing && <ExistingNotice secret={existing} isMeant={replaced !== null} />}
      <ValueField form={form} isFirst={start !== ''} />
      <TextInput
        label="Description"
        description={
          existing?.description && description.trim() === ''
            ? 'Leave empty to clear the current description'
            : 'Optional: what it’s for and who owns it'
        }
        maxLength={1000}
        {...form.getInputProps('description')}
      />
      <FormFoot form={form} failed="The secret was not saved" verb={existing ? 'Replace' : 'Create'} />
    </form>
  )
}
