import type { ListedExperiments } from '#src/api/experiments.ts'
import { toExperimentSort } from './experiment-columns.tsx'

/** Periods to filter by last activity. */
export const periods = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last week' },
  { value: '30', label: 'Last month' },
  { value: '90', label: 'Last quarter' },
] as const

export const axisFilters = ['agent', 'model', 'product', 'environment'] as const

export const noFilters = Object.fromEntries(['search', 'owner', 'since', ...axisFilters].map((name) => [name, null]))

const dayMs = 86_400_000

/**
 * Reads the list's filters and its order from the URL. A period starts at a full hour, so that the query stays the same for a while.
 */
export function readExperimentFilters(search: URLSearchParams, now: number): ListedExperiments {
  const list = (name: string) => (search.has(name) ? search.getAll(name) : undefined)
  const days = Number(periods.find(({ value }) => value === search.get('since'))?.value ?? 0)
  const hour = now - (now % 3_600_000)
  return {
    search: search.get('search')?.trim() || undefined,
    owner: search.get('owner') || undefined,
    agent: list('agent'),
    model: list('model'),
    product: list('product'),
    environment: list('environment'),
    since: days > 0 ? new Date(hour - days * dayMs).toISOString() : undefined,
    sort: toExperimentSort(search.get('sort') ?? ''),
  }
}
