import * as contract from '#contract/notifications.ts'
import { serve } from '#platform/http/serve.ts'
import { listNotifications } from './list-notifications.ts'
import { readNotifications } from './read-notifications.ts'
import { inRpcForm } from './rpc.ts'

export const notificationRoutes = [
  serve(contract.listNotifications, listNotifications),
  serve(contract.readNotifications, readNotifications),
  serve(contract.listNotificationFeed, inRpcForm(listNotifications)),
  serve(contract.markNotificationFeedEntriesRead, inRpcForm(readNotifications)),
]
