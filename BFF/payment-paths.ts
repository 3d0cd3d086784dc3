import { checkoutPath, webhookPath } from '#contract/credits.ts'

/**
 * Routes that a payment provider or an HTML form writes to, which cannot send the app's header. They do their own
 * checks.
 */
export const isPaymentPath = (path: string) => path === webhookPath || path.startsWith(checkoutPath)
