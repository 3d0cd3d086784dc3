import type { Page } from '@playwright/test'

import { suggestContext } from '#contract/context-suggestions.ts'
import { callAs } from './call-as.ts'

type Change = { targetId: string; baseRevision: number; summary: string; reason: string }

/** Suggests another summary of a product as the person of the page. */
export async function suggestChange(page: Page, { summary, ...rest }: Change) {
  const idempotencyKey = crypto.randomUUID()
  const change = { ...rest, kind: 'product' as const, proposed: { summary }, evidence: [], idempotencyKey }
  const answer = await callAs(page, suggestContext, { action: 'submit', ...change })
  if (answer.action !== 'submit') throw new Error(`The suggestion was answered as ${answer.action}`)
  return answer
}
