import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { Payment, PaymentList } from '#contract/payments.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { paidAmount } from '#contract/wire/money-text.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { findReceipt, paymentListOptions } from '#src/api/payments.ts'
import { credit } from '#src/format/money.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import mutedText from '#src/ui/muted-text.module.css'

/** Payments with their invoices and receipts, for admins. */
export function PaymentsSection() {
  const list = useInfiniteList(paymentListOptions())
  const provider = list.firstPage?.provider
  return (
    <Section title="Payments">
      {list.firstPage && <p className={mutedText.intro}>{providerWords[provider ?? 'none']}</p>}
      {(provider !== null || (list.rows?.length ?? 0) > 0) && (
        <DataTable
          label="payments and receipts"
          columns={paymentColumns}
          rows={list.rows}
          rowId={({ id }) => id}
          error={list.error}
          onRetry={list.retry}
          more={list.more}
          empty={{ title: 'No payments yet', hint: 'Your top-ups will appear here.' }}
        />
      )}
    </Section>
  )
}

/** Leads to the page of Stripe, as a top-up does. */
function OpenReceipt({ payment }: { payment: Payment }) {
  const receipt = useMutation({
    mutationFn: () => findReceipt(payment.id),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`Open the receipt of ${credit(payment.amountMicros)}`}
        loading={receipt.isPending || receipt.isSuccess}
        onClick={() => receipt.mutate()}
      >
        Open
      </Button>
      {receipt.error && <ErrorNotice title="The receipt could not be opened" error={receipt.error} />}
    </>
  )
}

const providerWords: Record<NonNullable<PaymentList['provider']> | 'none', string> = {
  stripe: 'Stripe issues invoices and receipts; they open on Stripe’s site.',
  local: 'Stripe is not set up, so payments are tests: nobody is charged, and there are no invoices or receipts.',
  none: 'This platform takes no payments, so there are no invoices or receipts.',
}

const stateWords: Record<Payment['status'], string> = {
  created: 'Not paid yet',
  paid: 'Paid, not added yet',
  posted: 'Paid',
  expired: 'Expired',
  mismatched: 'On hold',
  rejected: 'Rejected',
}

const stateOf = ({ status, paid }: Payment) =>
  paid ? `${stateWords[status]}: ${paidAmount(paid)} was paid` : stateWords[status]

const paymentColumns: Column<Payment>[] = [
  { id: 'state', header: 'State', value: stateOf },
  { id: 'person', header: 'Requested by', value: ({ requestedBy }) => requestedBy, from: 'sm' },
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ amountMicros }) => credit(amountMicros),
    value: ({ amountMicros }) => dollarsOf(amountMicros),
    align: 'right',
    width: '96px',
  },
  timeColumn(({ paidAt, createdAt }: Payment) => paidAt ?? createdAt, {
    id: 'date',
    header: 'Date',
    width: '96px',
    from: 'sm',
  }),
  {
    id: 'receipt',
    header: 'Receipt',
    cell: (payment) => payment.hasReceipt && <OpenReceipt payment={payment} />,
    align: 'right',
    width: '120px',
  },
]
