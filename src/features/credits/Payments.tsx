import { Anchor, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { TopUp } from '#contract/credits.ts'
import { balanceOptions, waitingTopUps } from '#src/api/credits.ts'
import { credit } from '#src/format/money.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import classes from './credits.module.css'

/** `arrivedFrom` is the payment whose page led here. */
type Props = { arrivedFrom: string; onClose: () => void }

/** Payments under way, and the one just made once its credit is there. */
export function Payments({ arrivedFrom, onClose }: Props) {
  const { data } = useQuery(balanceOptions())
  if (!data) return null
  const arrived = data.topUps.find(({ sessionId, status }) => sessionId === arrivedFrom && status === 'posted')
  return (
    <div aria-live="polite" className={classes.payments}>
      {waitingTopUps(data).map((topUp) => (
        <Waiting key={topUp.sessionId} topUp={topUp} />
      ))}
      {arrived && (
        <Notice title="The payment has arrived." onClose={onClose}>
          {credit(arrived.amountMicros)} is in the balance.
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
        'It is paid; the credit is being posted.'
      ) : (
        <>
          Its page was opened <RelativeTime at={createdAt} />. This notice goes when the credit arrives.{' '}
          {url && (
            <Anchor href={url} fz={13}>
              Open the payment page
            </Anchor>
          )}
        </>
      )}
    </Notice>
  )
}
