import { type ModelPrice, providerLabels } from '#contract/model-providers.ts'
import type { Column } from '#src/ui/table/column.ts'

const dollars = (amount: number | null) =>
  amount === null ? '–' : `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`

const priceColumn = (id: 'input' | 'output' | 'cacheRead' | 'cacheWrite', header: string): Column<ModelPrice> => ({
  id,
  header,
  cell: (price) => dollars(price[id]),
  value: (price) => price[id],
  align: 'right',
  width: '88px',
  ...((id === 'cacheRead' || id === 'cacheWrite') && { from: 'md' }),
})

const sources = { list: 'Provider’s price list', operator: 'Operator' }

export const priceColumns: Column<ModelPrice>[] = [
  { id: 'model', header: 'Model', value: ({ model }) => model },
  {
    id: 'provider',
    header: 'Provider',
    value: ({ provider }) => (provider === null ? 'Other' : providerLabels[provider]),
    width: '96px',
    from: 'sm',
  },
  priceColumn('input', 'Input'),
  priceColumn('output', 'Output'),
  priceColumn('cacheRead', 'Cache read'),
  priceColumn('cacheWrite', 'Cache write'),
  {
    id: 'source',
    header: 'Source',
    cell: ({ source, basis }) => <span title={basis ?? undefined}>{sources[source]}</span>,
    value: ({ source }) => sources[source],
    width: '152px',
    from: 'md',
  },
]
