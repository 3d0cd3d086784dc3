import {
  type InfiniteData,
  keepPreviousData,
  type QueryFunctionContext,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query'
import { useMemo } from 'react'

import { queryClient } from './query-client.ts'

type PageToken = string | undefined
export type Pages<Page> = InfiniteData<Page, PageToken>

type ListOptions<Page, Row> = Pick<
  UseInfiniteQueryOptions<Page, Error, Pages<Page>, QueryKey, PageToken>,
  'refetchInterval' | 'staleTime'
> & {
  queryKey: QueryKey
  queryFn: (context: QueryFunctionContext<QueryKey, PageToken>) => Promise<Page>
  initialPageParam: PageToken
  getNextPageParam: (last: Page) => PageToken | null
  /** Declare it outside the component: a new function at every render flattens the pages again. */
  rowsOf: (page: Page) => readonly Row[]
}

/** A list that is read page by page. */
export const infiniteListOptions = <Page, Row>(
  options: Omit<ListOptions<Page, Row>, 'initialPageParam'>,
): ListOptions<Page, Row> => ({ ...options, initialPageParam: undefined })

type WholeList<Page, Row> = {
  queryKey: QueryKey
  readPage: (token: PageToken, signal: AbortSignal) => Promise<Page>
  nextToken: (page: Page) => PageToken | null
  rowsOf: (page: Page) => readonly Row[]
}

/** A list that is loaded whole, so that the browser can sort, search and export all of it. */
export const wholeListOptions = <Page, Row>({ queryKey, ...list }: WholeList<Page, Row>) =>
  infiniteListOptions<readonly Row[], Row>({
    queryKey: [...queryKey, 'whole'],
    queryFn: ({ signal }) => readWholeList(list, signal),
    getNextPageParam: () => null,
    rowsOf: allRows,
  })

const allRows = <Row>(rows: readonly Row[]) => rows

/** Reads the pages of a list one after the other, up to the last. */
export async function readWholeList<Page, Row>(
  { readPage, nextToken, rowsOf }: Omit<WholeList<Page, Row>, 'queryKey'>,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = []
  let token: PageToken | null = undefined
  do {
    const page: Page = await readPage(token, signal)
    rows.push(...rowsOf(page))
    token = nextToken(page)
  } while (token)
  return rows
}

/** The rows of all loaded pages, and how to load more. With `keepPrevious` the old rows stay while others load. */
export function useInfiniteList<Page, Row>(
  { rowsOf, ...options }: ListOptions<Page, Row>,
  { keepPrevious = false, poll = true } = {},
) {
  const query = useInfiniteQuery({
    ...options,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(!poll && { refetchInterval: false }),
  })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  return {
    /** Undefined until the first page arrives. */
    rows: useMemo(() => data?.pages.flatMap(rowsOf), [data, rowsOf]),
    /** It also holds facts about the whole list, such as its total. */
    firstPage: data?.pages[0],
    error: query.error,
    retry: () => void refetch(),
    more: hasNextPage
      ? {
          pending: isFetchingNextPage,
          onMore: () => void fetchNextPage(),
          readAll: () => fetchAllRows({ ...options, rowsOf }),
        }
      : null,
    query,
  }
}

/** What a page shows of a list. */
export type ShownList<Row> = Pick<ReturnType<typeof useInfiniteList<unknown, Row>>, 'rows' | 'error' | 'retry' | 'more'>

/** The rows of all pages of a list, for its export. The list on the page stays as it is. */
async function fetchAllRows<Page, Row>(options: ListOptions<Page, Row>) {
  const { queryKey, queryFn, initialPageParam, getNextPageParam, rowsOf } = options
  const list = { queryKey: [...queryKey, 'export'], queryFn, initialPageParam, getNextPageParam }
  const { pages } = await queryClient.fetchInfiniteQuery({ ...list, pages: Infinity, staleTime: 0, gcTime: 0 })
  return pages.flatMap(rowsOf)
}

/** The first rows of a list, for use outside a component. Rows that were read within `staleTime` are not read again. */
export async function fetchRows<Page, Row>(options: ListOptions<Page, Row>, staleTime: number) {
  const { queryKey, queryFn, initialPageParam, getNextPageParam, rowsOf } = options
  const list = { queryKey, queryFn, initialPageParam, getNextPageParam, staleTime }
  const { pages } = await queryClient.fetchInfiniteQuery(list)
  return pages.flatMap(rowsOf)
}
