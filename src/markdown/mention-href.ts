import type { Mention } from '#contract/report-blocks/mentions.ts'
import { paths } from '#src/paths.ts'

/** The page of what a text mentions. People have none. */
export function mentionHref(mention: Mention) {
  switch (mention.kind) {
    case 'experiment':
      return paths.experiment(mention.id)
    case 'run':
      return paths.run(mention.id)
    case 'context':
      return paths.contextRecord({ kind: mention.contextKind, id: mention.id })
    case 'person':
      return undefined
  }
}
