import { keepPreviousData } from '@tanstack/react-query'

import { type CreditBalance, type TopUp, getBalance, getSpend, reloadCredits } from '#contract/credits.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { pollWhileUnfinished } from './polling.ts'
import { endpointOptions } from './query-client.ts'

export type SpendFilters = CallInput<typeof getSpend>

const hourMs = 60 * 60 * 1000

/** Payments that may still arrive: recently paid or recently opened. Older open pages count as abandoned. */
export const waitingTopUps = ({ topUps, asOf }: Pick<CreditBalance, 'topUps' | 'asOf'>): TopUp[] =>
  topUps.filter(
    ({ status, createdAt }) =>
      status === 'paid' || (status === 'created' && Date.parse(asOf) - Date.parse(createdAt) < hourMs),
  )

/** For admins. Polls while a payment may arrive, so the page shows the new credit. */
export const balanceOptions = (period?: string) => ({
  ...endpointOptions(getBalance, { period }),
  refetchInterval: pollWhileUnfinished((balance: CreditBalance) => waitingTopUps(balance)[0]?.createdAt ?? null),
})

export const spendOptions = (filters: SpendFilters) => ({
  ...endpointOptions(getSpend, filters),
  placeholderData: keepPreviousData,
})

/** Opens a payment page; this alone charges nothing. */
export const openCheckout = (amountUsd: string) => call(reloadCredits, { amountUsd })
