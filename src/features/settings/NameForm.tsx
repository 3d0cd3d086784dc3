import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'

import { ShownName } from '#contract/identity.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import formParts from '#src/ui/form-parts.module.css'
import classes from './NameForm.module.css'

type Props = {
  label: string
  hint: string
  name: string
  save: (body: { name: string }) => Promise<void>
}

const schema = z.object({ name: ShownName })

/** If the name changes elsewhere, the field shows the new one, unless somebody has typed another meanwhile. */
export function NameForm({ label, hint, name, save }: Props) {
  const [saved, setSaved] = useState(name)
  const [sent, setSent] = useState<string>()
  const form = useForm({
    initialValues: { name },
    schema,
    toBody: (values) => values,
    send: (body) => {
      setSent(body.name)
      return save(body)
    },
  })
  if (name !== saved) {
    if (name !== sent && form.values.name.trim() === saved) form.setFieldValue('name', name)
    setSaved(name)
  }
  const isUnchanged = form.values.name.trim() === name
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate autoComplete="off">
      <TextInput label={label} description={hint} maxLength={100} {...form.getInputProps('name')} />
      {form.failure && <ErrorNotice title="The name was not changed" error={form.failure} />}
      <Button
        type="submit"
        className={formParts.verbAtStart}
        loading={form.isPending}
        disabled={isUnchanged}
        title={isUnchanged ? 'Change the name first' : undefined}
      >
        Save name
      </Button>
    </form>
  )
}
