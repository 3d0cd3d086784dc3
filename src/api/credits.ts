import { keepPreviousData } from '@tanstack/react-query'

import { type CreditBalance, type TopUp, getBalance, getSpend, reloadCredits } from '#contract/credits.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { pollWhileUnfinished } from './polling.ts'
import { endpointOptions } from './query-client.ts'

export type SpendFilters = CallInput<typeof getSpend>

const hourMs = 60 * 60 * 1000

/** Payments that may still arrive: those made or opened lately. Whoever left a page open for longer has left it. */
export const waitingTopUps = ({ topUps, asOf }: Pick<CreditBalance, 'topUps' | 'asOf'>): TopUp[] =>
  topUps.filter(
    ({ status, createdAt }) =>
      status === 'paid' || (status === 'created' && Date.parse(asOf) - Date.parse(createdAt) < hourMs),
  )

/** For admins. While a payment may arrive it is asked for again, so the page sees the credit come. */
export const balanceOptions = (period?: string) => ({
  ...endpointOptions(getBalance, { period }),
  refetchInterval: pollWhileUnfinished((balance: CreditBalance) => waitingTopUps(balance)[0]?.createdAt ?? null),
})

export const spendOptions = (filters: SpendFilters) => ({
  ...endpointOptions(getSpend, filters),
  placeholderData: keepPreviousData,
})

/** Opens a payment page; nothing is paid by this. */
export const openCheckout = (amountUsd: string) => call(reloadCredits, { amountUsd })
