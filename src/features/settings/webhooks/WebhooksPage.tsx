import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'

import type { NewWebhook } from '#contract/webhooks.ts'
import { webhookListOptions } from '#src/api/webhooks.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { paths } from '#src/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { hasWords } from '#src/ui/table/has-words.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { CreatedSecret } from './CreatedSecret.tsx'
import { NewWebhookForm } from './NewWebhookForm.tsx'
import { webhookColumns } from './webhook-columns.tsx'
import { stateOf } from './webhook-state.ts'

/** The addresses that receive the notifications of the organization. */
export const Component = () => (
  <AdminsOnly title="Webhooks" right="see the webhooks">
    <Webhooks />
  </AdminsOnly>
)

function Webhooks() {
  const url = useQueryState()
  const search = url.one('query')
  const list = useQuery(webhookListOptions())
  const rows = useMemo(
    () =>
      list.data?.webhooks.filter((webhook) => hasWords([webhook.name, webhook.url, stateOf(webhook).label], search)),
    [list.data, search],
  )
  return (
    <>
      <title>Webhooks · Assay</title>
      <PageHeader
        title="Webhooks"
        facts="Send notifications to a program or a chat: finished runs, comments, publications and more."
        actions={
          <Button component={Link} to={paths.newWebhook()} leftSection={<IconPlus size={14} aria-hidden />}>
            New webhook
          </Button>
        }
      />
      <DataTable
        label="webhooks"
        columns={webhookColumns}
        rows={rows}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.webhook(id)}
        error={list.error}
        onRetry={() => void list.refetch()}
        filters={<ListSearch label="Search webhooks" value={search} onChange={(query) => url.set({ query })} />}
        empty={
          search === ''
            ? {
                title: 'No webhooks yet',
                hint: 'A webhook sends each notification of the organization to an address, signed and in order.',
                action: <TextLink href={paths.newWebhook()}>Add the first webhook</TextLink>,
              }
            : { title: 'No webhooks match this search' }
        }
      />
      <NewWebhookDialog />
    </>
  )
}

/** Open while the URL has `new`. The secret itself is never in the URL or a cache. */
function NewWebhookDialog() {
  const url = useQueryState()
  const [created, setCreated] = useState<NewWebhook | null>(null)
  const close = () => {
    setCreated(null)
    url.push({ new: null })
  }
  if (created && created.webhook.kind === 'webhook')
    return (
      // A stray click or key must not lose the secret.
      <Dialog opened onClose={close} closeOnClickOutside={false} closeOnEscape={false} title="The signing secret">
        <CreatedSecret created={created} onDone={close} />
      </Dialog>
    )
  if (url.one('new') === '') return null
  return (
    <Dialog opened onClose={close} title="New webhook">
      <NewWebhookForm onCreated={(added) => (added.webhook.kind === 'webhook' ? setCreated(added) : close())} />
    </Dialog>
  )
}
