import { TurnKind } from '#contract/transcripts.ts'
import { type TurnRole, turnRoles } from './transcript-view.ts'

/** Reads the turn filter from the URL. */
export const readTurnFilter = (url: { one: (name: string) => string; all: (name: string) => string[] }) => ({
  roles: url.all('role').filter((role): role is TurnRole => turnRoles.some((known) => known === role)),
  kinds: url.all('kind').filter((kind): kind is TurnKind => TurnKind.safeParse(kind).success),
  reasoning: url.one('reasoning') === '1',
})
