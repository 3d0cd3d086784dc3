import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { NewInvitation } from '#contract/invitations.ts'
import { InvitedLink } from './InvitedLink.tsx'

const at = '2026-11-23T10:00:00.000000Z'
const invitation = { id: 'i', email: 'new@lab.example', role: 'member' as const, createdAt: at, expiresAt: at }

const shown = (isEmailed: boolean | undefined) => {
  const created: NewInvitation = { invitation, link: 'https://assay.example/join#invite_x', isEmailed }
  return renderToStaticMarkup(
    <MantineProvider>
      <InvitedLink created={created} onDone={() => {}} />
    </MantineProvider>,
  )
}

test('the inviter learns whether the link was emailed, and gets the link in any case', () => {
  expect(shown(true)).toContain('The link was emailed.')
  expect(shown(false)).toContain('It could not be emailed.')
  expect(shown(undefined)).not.toContain('emailed')
  for (const isEmailed of [true, false, undefined]) expect(shown(isEmailed)).toContain('join#invite_x')
})
