import { randomUUID } from 'node:crypto'

import type { Context } from '#platform/ground/context/context.ts'
import { suggestContext } from '#platform/inputs/context-suggestions/suggest-context.ts'
import { putSecret } from '#platform/inputs/secrets/put-secret.ts'
import { makeOnce } from './make-once.ts'

/** A secret, and a suggestion by the member that waits for the admin. */
export async function seedSurroundings(context: Context, member: Context | null) {
  await makeOnce(context, { kind: 'secret', name: 'secret' }, async (inside) => {
    const slug = 'demo-model-key'
    const description = 'Demo data: a placeholder. Refer to it in an experiment as assay://secrets/demo-model-key'
    const { updatedAt } = await putSecret(inside, { slug, value: `placeholder-${randomUUID()}`, description })
    return { itemId: slug, state: updatedAt }
  })
  if (member) await makeOnce(member, { kind: 'suggestion', name: 'suggestion' }, suggest)
}

async function suggest(context: Context) {
  const submitted = await suggestContext(context, {
    action: 'submit',
    kind: 'agent',
    targetId: 'careful',
    baseRevision: 1,
    proposed: { limitations: 'Slower than the hasty agent, and three times its cost.' },
    reason: 'Demo data: the results of Parse Roman numerals show the cost of both agents.',
    evidence: [],
    idempotencyKey: randomUUID(),
  })
  if (submitted.action !== 'submit') throw new Error('The suggestion was not submitted')
  return { itemId: submitted.suggestionId }
}
