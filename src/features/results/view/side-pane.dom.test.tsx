import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, test } from 'vitest'

import { SidePane } from './SidePane.tsx'

test('Escape closes a pane of runs, but not while a dialog is open', async () => {
  const element = (
    <SidePane label="Runs of the group" title="droid">
      <p>runs</p>
    </SidePane>
  )
  window.history.replaceState(null, '', '/?view=metric&group=droid')
  const router = createBrowserRouter([{ path: '/', element }])
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => root.unmount())
  root.render(
    <MantineProvider>
      <RouterProvider router={router} />
    </MantineProvider>,
  )
  const escape = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  const query = () => router.state.location.search
  await expect.poll(() => escape() && query()).toBe('?view=metric')
  await router.navigate('/?view=metric&group=droid')
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  escape()
  dialog.remove()
  await new Promise((resolve) => setTimeout(resolve))
  expect(query()).toBe('?view=metric&group=droid')
})
