import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import { ReloadAmount } from '#contract/credits.ts'
import { openCheckout } from '#src/api/credits.ts'
import { fieldFault } from '#src/api/errors.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './credits.module.css'

/** Opens the hosted payment page, which returns here. */
export function TopUpForm() {
  const [amount, setAmount] = useState('25.00')
  const [wasSent, setWasSent] = useState(false)
  const opening = useMutation({
    mutationFn: openCheckout,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const shape = ReloadAmount.safeParse(amount).error?.issues[0]?.message
  const fault = (wasSent ? shape : undefined) ?? fieldFault(opening.error, 'amountUsd')
  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (!shape) opening.mutate(amount)
  }
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <TextInput
        label="Amount in US dollars"
        description="Between 5 and 5000. This credit never expires and is spent last."
        leftSection="$"
        inputMode="decimal"
        value={amount}
        onChange={(event) => {
          opening.reset()
          setAmount(event.currentTarget.value.trim())
        }}
        error={fault}
        data-autofocus
      />
      <p className={classes.hint}>
        You’ll pay on our payment provider’s page. The credit usually arrives within a few minutes.
      </p>
      {opening.error && !fault && <ErrorNotice title="Couldn’t open the payment page" error={opening.error} />}
      <Button type="submit" loading={opening.isPending || opening.isSuccess} className={classes.verb}>
        Continue to payment
      </Button>
    </form>
  )
}
