import { checkoutPath, webhookPath } from '#contract/credits.ts'

/** Routes that a payment provider or a form writes to, and so never with the app's own header. They see to themselves. */
export const isPaymentPath = (path: string) => path === webhookPath || path.startsWith(checkoutPath)
