import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, test } from 'vitest'

import { changeQuery, useQueryState } from './use-query-state.ts'

const change = (from: string, changes: Parameters<typeof changeQuery>[1]) =>
  changeQuery(new URLSearchParams(from), changes).toString()

test('a list is written as repeated parameters, and other parameters stay', () => {
  expect(change('search=x&agent=a', { agent: ['b', 'c'] })).toBe('search=x&agent=b&agent=c')
})

test('an empty value is removed from the URL', () => {
  expect(change('search=x&agent=a', { search: '', agent: null })).toBe('')
})

test('a second change before the first is drawn keeps both', async () => {
  const page = await showPage('/runs?search=x')
  page.url().set({ left: 'a' })
  page.url().set({ right: 'b' })
  await page.expectAt('/runs?search=x&left=a&right=b', 1)
})

test('a change by a part of the page that is still drawn as before keeps the ones before it', async () => {
  const page = await showPage('/runs')
  const drawnBefore = page.url()
  page.url().set({ left: 'a' })
  page.url().set({ right: 'b' })
  await page.expectAt('/runs?left=a&right=b', 1)
  drawnBefore.set({ as: 'table' })
  await page.expectAt('/runs?left=a&right=b&as=table', 1)
})

test('a change while a pane is opening keeps the entry of history that Back returns to', async () => {
  const page = await showPage('/runs')
  page.url().push({ pane: '1' })
  page.url().set({ search: 'x' })
  await page.expectAt('/runs?pane=1&search=x', 2)
  await page.router.navigate(-1)
  await page.expectAt('/runs', 2)
})

test('a change after Back builds on the page that is shown, not on what was asked for there before', async () => {
  const page = await showPage('/runs')
  page.url().push({ pane: '1' })
  await page.expectAt('/runs?pane=1', 2)
  await page.router.navigate(-1)
  await page.expectAt('/runs', 2)
  page.url().set({ search: 'x' })
  await page.expectAt('/runs?search=x', 2)
})

/** A page whose data take a moment, so that a change is drawn some time after it is asked for. */
async function showPage(address: string) {
  let state: ReturnType<typeof useQueryState> | undefined
  let entries = 1
  function Page() {
    const current = useQueryState()
    // Until its effects have run, a page that is being drawn ignores where it is told to go.
    useEffect(() => {
      state = current
    })
    return <p>{`all ${current.all('left').length}`}</p>
  }
  const loader = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 20))
  window.history.replaceState(null, '', address)
  const router = createBrowserRouter([{ path: '/runs', Component: Page, loader, HydrateFallback: () => null }])
  router.subscribe(({ historyAction, navigation }) => {
    if (historyAction === 'PUSH' && navigation.state === 'idle') entries += 1
  })
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    router.dispose()
    place.remove()
  })
  root.render(<RouterProvider router={router} />)
  const url = () => {
    if (!state) throw new Error('The page is not drawn yet')
    return state
  }
  await expect.poll(url).toBeTruthy()
  return {
    router,
    url,
    expectAt: (expected: string, expectedEntries: number) =>
      expect
        .poll(() => {
          const { pathname, search } = router.state.location
          return { at: `${pathname}${search}`, pane: url().one('pane'), entries }
        })
        .toEqual({
          at: expected,
          pane: new URL(expected, 'http://localhost').searchParams.get('pane') ?? '',
          entries: expectedEntries,
        }),
  }
}
