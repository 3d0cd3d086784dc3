import type { CallInput } from '#contract/endpoint.ts'
import {
  createWebhook,
  type DeliveryState,
  deleteWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  sendDeliveryAgain,
  testWebhook,
  updateWebhook,
  type WebhookDeliveryList,
} from '#contract/webhooks.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, refresherOf } from './query-client.ts'

/** The queue moves by itself. */
const everyMs = 5000

export const webhookListOptions = () => ({ ...endpointOptions(listWebhooks, {}), refetchInterval: everyMs })

const deliveriesOf = ({ deliveries }: WebhookDeliveryList) => deliveries

export const deliveryListOptions = (filter: { webhookId: string; state?: DeliveryState | undefined }) =>
  infiniteListOptions({
    queryKey: endpointKey(listDeliveries, filter),
    queryFn: ({ pageParam, signal }) => call(listDeliveries, { ...filter, pageToken: pageParam }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken ?? null,
    rowsOf: deliveriesOf,
    refetchInterval: everyMs,
  })

export const deliveryOptions = (webhookId: string, deliveryId: string) => ({
  ...endpointOptions(getDelivery, { webhookId, deliveryId }),
  refetchInterval: everyMs,
})

const thenRefresh = refresherOf(['webhooks'])

export const addWebhook = (body: CallInput<typeof createWebhook>) => thenRefresh(call(createWebhook, body))
export const changeWebhook = (input: CallInput<typeof updateWebhook>) => thenRefresh(call(updateWebhook, input))
export const removeWebhook = (webhookId: string) => thenRefresh(call(deleteWebhook, { webhookId }))
export const rotateSecret = (input: CallInput<typeof rotateWebhookSecret>) =>
  thenRefresh(call(rotateWebhookSecret, input))
export const sendTest = (webhookId: string) => thenRefresh(call(testWebhook, { webhookId }))
export const sendAgain = (webhookId: string, deliveryId: string) =>
  thenRefresh(call(sendDeliveryAgain, { webhookId, deliveryId }))
