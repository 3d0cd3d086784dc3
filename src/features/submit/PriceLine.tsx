import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Variant } from '#contract/variants.ts'
import { type Submission, costHistoryOptions } from '#src/api/runs.ts'
import { usd } from '#src/format/money.ts'
import { count, counted } from '#src/format/numbers.ts'
import { CreditLine } from './CreditLine.tsx'
import {
  computeShareOf,
  countUnpriced,
  creditOfRun,
  type Price,
  submissionPrice,
  toCostHistory,
} from '#statistics/submission-price.ts'
import classes from './SubmitForm.module.css'

type Props = {
  submission: Submission
  variants: readonly Variant[]
  repeat: number
  mock: boolean
  onMock: () => void
}

/** The estimated cost of the submission, from past runs of its variants. */
export function PriceLine({ submission, variants, repeat, mock, onMock }: Props) {
  const { data, error } = useQuery({ ...costHistoryOptions(submission.id), enabled: !mock })
  const history = useMemo(() => toCostHistory(data?.runs ?? []), [data])
  const credit = useMemo(() => toCostHistory(data?.runs ?? [], creditOfRun), [data])
  if (mock) return <p className={classes.price}>Mock runs are free.</p>
  if (error)
    return <p className={classes.price}>No estimate: the cost of past runs could not be loaded ({error.message}).</p>
  if (!data) return <p className={classes.price}>Loading the cost of past runs…</p>
  const variantIds = variants.map(({ variantId }) => variantId)
  const price = submissionPrice({ variantIds, repeat }, history)
  const { p50, p90, unknownCount, sampleCount } = price
  const fromCredit = submissionPrice({ variantIds, repeat }, credit)
  const share = computeShareOf(variantIds, data.runs)
  const unpriced = countUnpriced(variantIds, data.runs)
  return (
    <p className={classes.price} aria-live="polite">
      {p50 !== null && (
        <span title={`Estimate from ${counted(sampleCount, 'past run')} of this experiment (all versions)`}>
          Estimate: <b>{usd(p50)}</b> typical (P50), <b>{usd(p90)}</b> high (P90)
          {share !== null && `, typically ${usd(p50 * (1 - share))} for models and ${usd(p50 * share)} for compute`}
          .{' '}
        </span>
      )}
      {creditWords(price, fromCredit)}
      {unknownCount > 0 && (
        <>
          No cost history for {count(unknownCount)} of {counted(variants.length, 'variant')}
          {p50 !== null && ', which the estimate excludes'}
          {unpriced > 0 && `: ${counted(unpriced, 'past run')} recorded none`}.{' '}
          <Anchor component="button" type="button" fz={13} onClick={onMock}>
            Use mock runs (free)
          </Anchor>
        </>
      )}
      <CreditLine submission={submission} hasVariants={variants.length > 0} p90={fromCredit.p90} />
    </p>
  )
}

/**
 * What credit does not pay is what agents report of models with keys of the organization's own. Nothing where past runs
 * don't tell, such as imported ones.
 */
function creditWords(cost: Price, paid: Price) {
  if (cost.p50 === null || paid.p50 === null || paid.unknownCount > cost.unknownCount) return null
  if (usd(paid.p50) === usd(cost.p50)) return null
  return `Credit pays ${paid.p50 === 0 ? 'none' : `about ${usd(paid.p50)}`} of it: the rest is for models with your own keys. `
}
