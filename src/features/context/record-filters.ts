import { ContextKind } from '#contract/context-kinds.ts'
import { contextRecordSorts } from '#contract/context-records.ts'

type Query = { one: (name: string) => string; all: (name: string) => string[] }

const sorts = contextRecordSorts.flatMap((field) => [field, `-${field}`] as const)

/** The filters in the URL of the list. A filter that the platform would refuse is left out. */
export function readRecordFilters(url: Query) {
  const kind = url.all('kind').filter((value): value is ContextKind => ContextKind.safeParse(value).success)
  const search = url.one('search').slice(0, 200)
  const sort = sorts.find((known) => known === url.one('sort'))
  return {
    ...(search !== '' && { search }),
    ...(kind.length > 0 && { kind }),
    ...(url.one('pending') !== '' && { pending: true }),
    ...(sort && { sort }),
  }
}

export const isFiltered = ({ search, kind, pending }: ReturnType<typeof readRecordFilters>) =>
  search !== undefined || kind !== undefined || pending !== undefined
