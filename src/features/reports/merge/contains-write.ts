import { applyChanges } from './changes.ts'
import { mergeTexts } from './merge-texts.ts'

type Texts = { title: string; description: string; body: string }

/**
 * Whether a report holds what was sent for it, all of it, perhaps under what others wrote since: the write whose answer
 * was lost arrived. `base` is what it grew from; each as the platform stores it.
 */
export function containsWrite(theirs: Texts, base: Texts, sent: Texts): boolean {
  const holds = (name: 'title' | 'description') => sent[name] === base[name] || theirs[name] === sent[name]
  const { changes, conflicts } = mergeTexts(base.body, sent.body, theirs.body)
  return (
    holds('title') && holds('description') && conflicts.length === 0 && applyChanges(sent.body, changes) === theirs.body
  )
}
