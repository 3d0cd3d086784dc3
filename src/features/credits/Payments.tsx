import { Anchor, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { TopUp } from '#contract/credits.ts'
import { balanceOptions, waitingTopUps } from '#src/api/credits.ts'
import { paidAmount } from '#contract/wire/money-text.ts'
import { credit } from '#src/format/money.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import classes from './credits.module.css'

/** `arrivedFrom` is the payment whose page led here. */
type Props = { arrivedFrom: string; onClose: () => void }

/** Pending payments and payments on hold, and the latest payment once its credit arrives. */
export function Payments({ arrivedFrom, onClose }: Props) {
  const { data } = useQuery(balanceOptions())
  if (!data) return null
  const arrived = data.topUps.find(({ sessionId, status }) => sessionId === arrivedFrom && status === 'posted')
  return (
    <div aria-live="polite" className={classes.payments}>
      {waitingTopUps(data).map((topUp) => (
        <Waiting key={topUp.sessionId} topUp={topUp} />
      ))}
      {data.topUps.filter(isWithheld).map((topUp) => (
        <Withheld key={topUp.sessionId} topUp={topUp} />
      ))}
      {arrived && (
        <Notice title="Payment received." onClose={onClose}>
          {credit(arrived.postedMicros ?? arrived.amountMicros)} added to the balance.
        </Notice>
      )}
    </div>
  )
}

function Waiting({ topUp: { amountMicros, status, createdAt, url } }: { topUp: TopUp }) {
  return (
    <Notice title={`Waiting for payment of ${credit(amountMicros)}.`}>
      <Loader size={12} aria-hidden />{' '}
      {status === 'paid' ? (
        'Payment received; adding credit…'
      ) : (
        <>
          The payment page was opened <RelativeTime at={createdAt} />. This message disappears once the credit arrives.{' '}
          {url && (
            <Anchor href={url} fz={13}>
              Open payment page
            </Anchor>
          )}
        </>
      )}
    </Notice>
  )
}

const isWithheld = ({ status }: TopUp) => status === 'mismatched' || status === 'rejected'

/** If the paid amount differs from the requested one, the operator decides. No credit is added until they accept it. */
function Withheld({ topUp: { amountMicros, paid, status, createdAt } }: { topUp: TopUp }) {
  const what = paid ? paidAmount(paid) : 'Another amount'
  return (
    <Notice
      title={status === 'rejected' ? `The payment of ${what} was rejected.` : `The payment of ${what} is on hold.`}
    >
      Expected {credit(amountMicros)}, requested <RelativeTime at={createdAt} />.{' '}
      {status === 'rejected'
        ? 'No credit was added. Ask the operator of this platform for a refund.'
        : 'The credit is added once the operator of this platform accepts the payment.'}
    </Notice>
  )
}
