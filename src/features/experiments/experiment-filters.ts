import type { ExperimentFilters } from '#src/api/experiments.ts'

/** How far back the list looks, by last activity. */
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
 * The list's filters as its URL says them. A period counts from the start of today's hour, so that the same URL keeps
 * the same query for a while.
 */
export function readExperimentFilters(search: URLSearchParams, now: number): ExperimentFilters {
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
    limit: 1000,
  }
}
