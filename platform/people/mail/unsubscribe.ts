import { nameOfNotificationType } from '#contract/notification-choices.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { findChoices, isPersonKnown, saveChoices } from './choice-store.ts'
import type { Scope, Unsubscription } from './unsubscribe-token.ts'

/** Ends the emails of a link. Everything else stays as the person chose it. It is safe to repeat. */
export const unsubscribe = ({ db }: Pick<Services, 'db'>, { userId, scope }: Unsubscription) =>
  db.transaction(async (tx) => {
    if (!(await isPersonKnown(tx, userId))) return
    const ended = (await findChoices(tx, userId)).filter(({ type, email }) => type === scope || email === scope)
    await saveChoices(
      tx,
      userId,
      ended.map(({ type }) => ({ type, email: 'off' as const })),
    )
  })

/** What a link ends, as the object of a sentence. */
export const scopeWords = (scope: Scope) => {
  if (scope === 'digest') return 'your daily digest'
  return scope === 'now' ? 'immediate emails' : `emails about “${nameOfNotificationType(scope)}”`
}
