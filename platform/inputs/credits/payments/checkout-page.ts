import { microsToDollars } from '#contract/wire/micros.ts'
import { escapeHtml, plainPage } from '#platform/ground/http/plain-page.ts'

type Page = {
  organizationName: string
  amountMicros: bigint
  creditsPath: string
  state: 'open' | 'closed' | 'paid' | 'withheld'
}

const stateLine = {
  paid: 'Payment received. The credit is in the balance.',
  withheld: 'The paid amount differs from the requested amount. The operator of this platform will decide on it.',
  closed: 'This payment page is closed.',
}

/** The local payment page as HTML. It asks for no card and charges nothing. */
export function checkoutPage({ organizationName, amountMicros, creditsPath, state }: Page): string {
  const body =
    state === 'open'
      ? `<form method="post"><button type="submit">Make the test payment</button><a href="${escapeHtml(creditsPath)}">Cancel</a></form>`
      : `<p role="status">${stateLine[state]}</p><p><a href="${escapeHtml(creditsPath)}">Back to Credits</a></p>`
  return plainPage(
    'Test payment',
    `<p class="test">This local platform has no payment provider. Nobody is charged, and no card is asked for.</p>
<p>Credit for ${escapeHtml(organizationName)}</p>
<p class="amount">$${microsToDollars(amountMicros)}</p>
${body}`,
  )
}
