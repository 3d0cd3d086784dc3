import { hostileDisguises } from './hostile-disguises.ts'
import { hostileHidden } from './hostile-hidden.ts'
import { hostileLanguage } from './hostile-language.ts'
import { hostileReach, type Targets } from './hostile-reach.ts'

/** Every hostile statement except the bombs. */
export const hostileStatements = (targets: Targets): string[] =>
  Object.values({
    ...hostileReach(targets),
    ...hostileLanguage(targets),
    ...hostileDisguises,
    ...hostileHidden(targets),
  }).flat()
