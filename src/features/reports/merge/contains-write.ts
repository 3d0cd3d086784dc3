import { applyChanges } from './changes.ts'
import { mergeTexts } from './merge-texts.ts'

type Texts = { title: string; description: string; body: string }

/**
 * Whether a report contains everything that was sent, perhaps with later edits of others. If so, the save succeeded
 * although its response was lost. `base` is the report before the save; all three are as the platform stores them.
 */
export function containsWrite(theirs: Texts, base: Texts, sent: Texts): boolean {
  const holds = (name: 'title' | 'description') => sent[name] === base[name] || theirs[name] === sent[name]
  const { changes, conflicts } = mergeTexts(base.body, sent.body, theirs.body)
  return (
    holds('title') && holds('description') && conflicts.length === 0 && applyChanges(sent.body, changes) === theirs.body
  )
}
