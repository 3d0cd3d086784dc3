import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'

import { fetchRows, infiniteListOptions, useInfiniteList, wholeListOptions } from './infinite-list.ts'
import { queryClient } from './query-client.ts'

type Page = { names: string[]; next: string | null }

const pages: Record<string, Page> = {
  first: { names: ['a', 'b'], next: 'second' },
  second: { names: ['c'], next: null },
}
let reads = 0
const names = infiniteListOptions({
  queryKey: ['names'],
  queryFn: ({ pageParam = 'first' }) => {
    reads += 1
    return Promise.resolve(pages[pageParam] as Page)
  },
  getNextPageParam: (last) => last.next,
  rowsOf: (page) => page.names,
})

function show() {
  let list: ReturnType<typeof useInfiniteList<Page, string>> | undefined
  function Reader() {
    list = useInfiniteList(names)
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Reader />
    </QueryClientProvider>,
  )
  return list
}

const load = (count: number) => queryClient.fetchInfiniteQuery({ ...names, pages: count, staleTime: 0 })

afterEach(() => {
  queryClient.clear()
  reads = 0
})

test('a list has no rows until its first page arrives', () => {
  expect(show()).toMatchObject({ rows: undefined, firstPage: undefined, error: null, more: null })
})

test('a list joins the rows of its pages and offers more while there is another page', async () => {
  await load(1)
  expect(show()).toMatchObject({ rows: ['a', 'b'], more: { pending: false } })
  await load(2)
  expect(show()).toMatchObject({ rows: ['a', 'b', 'c'], firstPage: pages.first, more: null })
})

test('an export reads every page, and the list on the page stays as it is', async () => {
  await load(1)
  expect(await show()?.more?.readAll()).toEqual(['a', 'b', 'c'])
  expect(show()).toMatchObject({ rows: ['a', 'b'], more: { pending: false } })
})

test('a whole list has the rows of every page, and nothing more to load', async () => {
  const wholeNames = wholeListOptions({
    queryKey: ['names'],
    readPage: (token = 'first') => Promise.resolve(pages[token] as Page),
    nextToken: (page) => page.next,
    rowsOf: (page) => page.names,
  })
  expect(await fetchRows(wholeNames, 0)).toEqual(['a', 'b', 'c'])
  expect(wholeNames.getNextPageParam([])).toBeNull()
})

test('rows that were just loaded are not loaded again', async () => {
  expect(await fetchRows(names, 30_000)).toEqual(['a', 'b'])
  expect(await fetchRows(names, 30_000)).toEqual(['a', 'b'])
  expect(reads).toBe(1)
  await fetchRows(names, 0)
  expect(reads).toBe(2)
})
