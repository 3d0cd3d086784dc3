import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { DeliveryState, type Webhook } from '#contract/webhooks.ts'
import { limits } from '#contract/wire/limit.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { deliveryListOptions, webhookListOptions } from '#src/api/webhooks.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { exactTime } from '#src/format/dates.ts'
import { counted } from '#src/format/numbers.ts'
import { nameOfType } from '#src/shared/notification-entries/type-names.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { WebhookDialogs } from './WebhookDialogs.tsx'
import classes from './webhooks.module.css'

/** One webhook with the log of what was sent to it. */
export function Component() {
  const { id = '' } = useParams()
  return (
    <AdminsOnly title="Webhook" right="see the webhooks">
      <OneWebhook id={id} />
    </AdminsOnly>
  )
}

const back = <TextLink href={paths.settings('webhooks')}>Webhooks</TextLink>

function OneWebhook({ id }: { id: string }) {
  const list = useQuery(webhookListOptions())
  const webhook = list.data?.webhooks.find((each) => each.id === id)
  if (list.error && !list.data)
    return (
      <ErrorNotice title="The webhook could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
    )
  if (!list.data) return null
  if (!webhook) return <EmptyState isPage title="No such webhook" hint="It may have been deleted." action={back} />
  return (
    <>
      <title>{`${webhook.name} · Assay`}</title>
      <PageHeader
        above={back}
        title={webhook.name}
        facts={`${webhook.kind === 'slack' ? 'Slack messages' : 'Signed JSON'} to ${webhook.url}. Notifications: ${describeTypes(webhook)}.`}
        actions={<WebhookActions webhook={webhook} />}
      />
      <div className={classes.notice}>
        <WebhookNotice webhook={webhook} />
      </div>
      <Deliveries webhook={webhook} />
      <WebhookDialogs webhook={webhook} />
      <DeliveryDialog webhook={webhook} />
    </>
  )
}

const describeTypes = ({ types }: Webhook) =>
  types ? new Intl.ListFormat('en').format(types.map((type) => nameOfType(type).toLowerCase())) : 'all'

function Deliveries({ webhook }: { webhook: Webhook }) {
  const url = useQueryState()
  const { data: state } = DeliveryState.safeParse(url.one('state'))
  const list = useInfiniteList(deliveryListOptions({ webhookId: webhook.id, state }))
  return (
    <DataTable
      label="deliveries"
      columns={deliveryColumns}
      rows={list.rows}
      rowId={({ id }) => id}
      rowHref={({ id }) => paths.webhook(webhook.id, { delivery: id, state })}
      error={list.error}
      onRetry={list.retry}
      more={list.more}
      filters={
        <FilterBar
          label="Filter deliveries"
          active={state !== undefined}
          onClear={() => url.set({ state: null })}
          lead={
            <SingleFilter
              label="State"
              options={DeliveryState.options}
              value={state}
              onChange={(value) => url.set({ state: value ?? null })}
            />
          }
        />
      }
      empty={
        state
          ? { title: 'No deliveries match this filter' }
          : { title: 'Nothing was sent yet', hint: 'Send a test to see whether the address works.' }
      }
    />
  )
}

const stopTitles = {
  failing: 'Every attempt failed for three days.',
  gone: 'The receiver answered 410 Gone.',
  full: `More than ${limits.waitingPerWebhook.toLocaleString('en')} deliveries waited.`,
}

/** Why nothing arrives, if that is so. */
function WebhookNotice({ webhook }: { webhook: Webhook }) {
  const { stopReason, failures, failingSince, nextTryAt, waiting } = webhook
  const kept =
    waiting > 0 ? `${counted(waiting, 'delivery waits', 'deliveries wait')}, to be sent when you resume. ` : ''
  if (stopReason === 'paused') return <Notice title="Paused.">{kept}New events are not kept meanwhile.</Notice>
  if (stopReason) return <Notice title={stopTitles[stopReason]}>{kept}Nothing more is sent until you resume.</Notice>
  if (failures === 0 || !failingSince || !nextTryAt) return null
  return (
    <Notice title={`Failing since ${exactTime(failingSince)}.`}>
      {counted(failures, 'attempt')} failed. The next one is at {exactTime(nextTryAt)};{' '}
      {counted(waiting, 'delivery waits', 'deliveries wait')}.
    </Notice>
  )
}
