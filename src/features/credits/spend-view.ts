/** The URL's parameters as parameters of GET /credits/spend. */
export type SpendView = {
  period?: string | undefined
  groupBy: 'experiment' | 'user'
  includeByok: boolean
}

/**
 * `by=user` groups by person if the caller may; `byok=1` includes usage on own keys. The default is credit by
 * experiment.
 */
export const readSpendView = (one: (name: string) => string, { spendByUser }: { spendByUser: boolean }): SpendView => ({
  period: one('period') || undefined,
  groupBy: spendByUser && one('by') === 'user' ? 'user' : 'experiment',
  includeByok: one('byok') !== '',
})

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The most recent months with their API names and labels. */
export function latestMonths(now: Date, count = 12): { value: string; label: string }[] {
  return Array.from({ length: count }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    return { value: month.toISOString().slice(0, 7), label: `${monthName.format(month)} cycle` }
  })
}
