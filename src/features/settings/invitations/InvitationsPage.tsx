import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import type { NewInvitation } from '#contract/invitations.ts'
import { invitationListOptions } from '#src/api/invitations.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { paths } from '#src/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { hasWords } from '#src/ui/table/has-words.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { invitationColumns } from './invitation-columns.tsx'
import { InvitedLink } from './InvitedLink.tsx'
import { InviteForm } from './InviteForm.tsx'
import { InviteLink } from './InviteLink.tsx'

/** The links that can still be used, for admins. */
export const Component = () => (
  <AdminsOnly title="Invitations" right="see who is invited">
    <Invitations />
  </AdminsOnly>
)

function Invitations() {
  const url = useQueryState()
  const search = url.one('query')
  const list = useQuery(invitationListOptions())
  const rows = useMemo(
    () => list.data?.invitations.filter(({ email, role, invitedBy }) => hasWords([email, role, invitedBy], search)),
    [list.data, search],
  )
  return (
    <>
      <title>Invitations · Assay</title>
      <PageHeader
        title="Invitations"
        facts="Each link adds one person. It works once, and stops working when it expires, when you revoke it, or when the API key that created it is revoked."
        actions={<InviteLink />}
      />
      <DataTable
        label="invitations"
        columns={invitationColumns}
        rows={rows}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={() => void list.refetch()}
        filters={<ListSearch label="Search invitations" value={search} onChange={(query) => url.set({ query })} />}
        empty={
          search === ''
            ? {
                title: 'No open invitations',
                hint: 'People who have joined are under Members.',
                action: <TextLink href={paths.newInvitation()}>Invite a person</TextLink>,
              }
            : { title: 'No invitations match this search' }
        }
      />
      <InviteDialog />
    </>
  )
}

/** Open while the URL has `new`. The link itself is never in the URL or a cache. */
function InviteDialog() {
  const url = useQueryState()
  const [created, setCreated] = useState<NewInvitation | null>(null)
  const close = () => {
    setCreated(null)
    url.push({ new: null })
  }
  if (created)
    return (
      // A stray click or key must not lose the link.
      <Dialog
        opened
        onClose={close}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title={created.isEmailed ? `Invited ${created.invitation.email}` : 'Send this link'}
      >
        <InvitedLink created={created} onDone={close} />
      </Dialog>
    )
  if (url.one('new') === '') return null
  return (
    <Dialog opened onClose={close} title="Invite a person">
      <InviteForm onInvited={setCreated} />
    </Dialog>
  )
}
