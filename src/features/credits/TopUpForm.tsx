import { Button, TextInput } from '@mantine/core'

import { reloadCredits } from '#contract/credits.ts'
import { openCheckout } from '#src/api/credits.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { paymentListOptions } from '#src/api/payments.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import formParts from '#src/ui/form-parts.module.css'

/** Opens the hosted payment page, which returns here. Where no provider is set up, it says so instead. */
export function TopUpForm() {
  const { firstPage } = useInfiniteList(paymentListOptions())
  const form = useForm({
    initialValues: { amountUsd: '25.00' },
    schema: reloadCredits.body,
    toBody: ({ amountUsd }) => ({ amountUsd: amountUsd.trim() }),
    send: ({ amountUsd }) => openCheckout(amountUsd),
    onSent: ({ url }) => window.location.assign(url),
  })
  if (firstPage?.provider === null)
    return (
      <p className={mutedText.intro}>
        No payment provider is set up on this platform, so credit cannot be bought here. Ask the operator to add credit.
      </p>
    )
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate>
      <TextInput
        label="Amount in US dollars"
        description="Between 5 and 5000. This credit never expires and is spent last."
        leftSection="$"
        inputMode="decimal"
        {...form.getInputProps('amountUsd')}
        data-autofocus
      />
      <p className={mutedText.intro}>
        {firstPage?.provider === 'local'
          ? 'No payment provider is set up, so the next page is a test: nobody is charged, and the credit arrives at once.'
          : 'You’ll pay on the page of the payment provider. The credit usually arrives within a few minutes.'}
      </p>
      {form.failure && <ErrorNotice title="Couldn’t open the payment page" error={form.failure} />}
      <Button type="submit" loading={form.isPending || form.isSent} className={formParts.verbAtStart}>
        Continue to payment
      </Button>
    </form>
  )
}
