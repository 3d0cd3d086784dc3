import type { CallInput } from '#contract/endpoint.ts'
import {
  changeNotificationSettings,
  confirmAddress,
  getNotificationSettings,
  type NotificationSettings,
  restartOwnMail,
  sendConfirmation,
} from '#contract/mail.ts'
import { call } from './call.ts'
import { endpointOptions, queryClient } from './query-client.ts'

export const notificationSettingsOptions = () => endpointOptions(getNotificationSettings, {})

/** Changes of one page are sent one after the other, so that the answer to the last has all of them. */
export const settingsScope = { id: 'notification-settings' }

async function thenShow(answer: Promise<NotificationSettings>) {
  const settings = await answer
  queryClient.setQueryData(notificationSettingsOptions().queryKey, settings)
  return settings
}

export const changeSettings = (body: CallInput<typeof changeNotificationSettings>) =>
  thenShow(call(changeNotificationSettings, body))
export const confirmOwnAddress = (token: string, timeZone: string) =>
  thenShow(call(confirmAddress, { token, timeZone }))
export const restartMailToMe = () => thenShow(call(restartOwnMail, {}))
export const sendConfirmationToMe = () => call(sendConfirmation, {})
