import * as contract from '#contract/mail.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin, requirePerson } from '#platform/ground/context/require-role.ts'
import {
  changeNotificationSettings,
  confirmAddress,
  getNotificationSettings,
  restartOwnMail,
} from './notification-settings.ts'
import { sendConfirmation, sendTestMail } from './send-by-hand.ts'
import { getMail, listMail, restartMail } from './show-mail.ts'
import type { Context } from '#platform/ground/context/context.ts'

/** A test goes to the admin's own address. */
function requireAdminInPerson(context: Context) {
  requireOrganizationAdmin(context)
  requirePerson(context)
}

export const mailRoutes = [
  serve(contract.getNotificationSettings, getNotificationSettings, requirePerson),
  serve(contract.changeNotificationSettings, changeNotificationSettings, requirePerson),
  serve(contract.sendConfirmation, sendConfirmation, requirePerson),
  serve(contract.confirmAddress, confirmAddress, requirePerson),
  serve(contract.restartOwnMail, restartOwnMail, requirePerson),
  serve(contract.getMail, getMail, requireOrganizationAdmin),
  serve(contract.listMail, listMail, requireOrganizationAdmin),
  serve(contract.sendTestMail, sendTestMail, requireAdminInPerson),
  serve(contract.restartMail, restartMail, requireOrganizationAdmin),
]
