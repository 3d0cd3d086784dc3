import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'

import type { Form } from '#src/forms/use-form.ts'
import formParts from '#src/ui/form-parts.module.css'
import { describeExpiry, type ExpiryValues, labelOfLifetime, lifetimes } from './expiry.ts'

/** How long a new key works. */
export function ExpiryFields<Values extends ExpiryValues>({ form }: { form: Form<Values> }) {
  const [now] = useState(Date.now)
  const { lifetime } = form.values
  return (
    <div className={formParts.roomyForm}>
      <NativeSelect
        label="Expiry"
        description={describeExpiry(form.values, now)}
        data={lifetimes.map((value) => ({ value, label: labelOfLifetime(value) }))}
        {...form.getInputProps('lifetime')}
      />
      {lifetime === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          min={new Date(now).toLocaleDateString('sv')}
          {...form.getInputProps('date')}
        />
      )}
    </div>
  )
}
