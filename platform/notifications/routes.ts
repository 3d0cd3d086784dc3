import * as contract from '#contract/notifications.ts'
import { serve } from '#platform/context/serve.ts'
import { requirePerson } from './feed-of-caller.ts'
import { listNotifications } from './list-notifications.ts'
import { readNotifications } from './read-notifications.ts'
import { inRpcForm } from './rpc.ts'

export const notificationRoutes = [
  serve(contract.listNotifications, listNotifications, requirePerson),
  serve(contract.readNotifications, readNotifications, requirePerson),
  serve(contract.listNotificationFeed, inRpcForm(listNotifications), requirePerson),
  serve(contract.markNotificationFeedEntriesRead, inRpcForm(readNotifications), requirePerson),
]
