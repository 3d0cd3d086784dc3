import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'

import { SecretsNotice } from './SecretsNotice.tsx'

test('a missing secret is created in the organization of the page', () => {
  const notice = renderToStaticMarkup(
    <MantineProvider>
      <MemoryRouter basename="/o/acme" initialEntries={['/o/acme/experiments/e']}>
        <SecretsNotice missing={['key']} mayCreate onMock={() => {}} />
      </MemoryRouter>
    </MantineProvider>,
  )
  expect(notice).toContain('href="/o/acme/secrets?new=1&amp;slug=key"')
})
