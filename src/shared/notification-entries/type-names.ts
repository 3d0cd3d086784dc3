import { nameOfNotificationType, notificationTypes } from '#contract/notification-choices.ts'
import { NotificationType } from '#contract/notification-types.ts'

/** All types, in the order of forms. */
export const typeOptions = notificationTypes.map((value) => ({ value, label: nameOfNotificationType(value) }))

/** A type that this page does not know keeps its own name. */
export const nameOfType = (type: string) => {
  const known = NotificationType.safeParse(type)
  return known.success ? nameOfNotificationType(known.data) : type === 'webhook.test' ? 'Test' : type
}
