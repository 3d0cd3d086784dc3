import * as contract from '#contract/webhooks.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin } from '#platform/ground/context/require-role.ts'
import { rotateWebhookSecret, updateWebhook } from './change-webhook.ts'
import { getDelivery, listDeliveries } from './list-deliveries.ts'
import { createWebhook, deleteWebhook, listWebhooks } from './manage-webhooks.ts'
import { sendDeliveryAgain, testWebhook } from './send-now.ts'

export const webhookRoutes = [
  serve(contract.listWebhooks, listWebhooks, requireOrganizationAdmin),
  serve(contract.createWebhook, createWebhook, requireOrganizationAdmin),
  serve(contract.updateWebhook, updateWebhook, requireOrganizationAdmin),
  serve(contract.deleteWebhook, deleteWebhook, requireOrganizationAdmin),
  serve(contract.rotateWebhookSecret, rotateWebhookSecret, requireOrganizationAdmin),
  serve(contract.testWebhook, testWebhook, requireOrganizationAdmin),
  serve(contract.listDeliveries, listDeliveries, requireOrganizationAdmin),
  serve(contract.getDelivery, getDelivery, requireOrganizationAdmin),
  serve(contract.sendDeliveryAgain, sendDeliveryAgain, requireOrganizationAdmin),
]
