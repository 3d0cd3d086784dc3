import { type CalloutKind, formatCallout } from '#contract/report-blocks/callouts.ts'
import type { MarkdownInsert } from '#src/editor/MarkdownEditor.tsx'

const callouts: readonly [kind: CalloutKind, label: string, detail: string][] = [
  ['note', 'Note', 'worth knowing'],
  ['tip', 'Tip', 'how to do it better'],
  ['important', 'Important', 'not to be missed'],
  ['warning', 'Warning', 'what may go wrong'],
  ['caution', 'Caution', 'what does go wrong'],
]

const block = (label: string, detail: string, text: string): MarkdownInsert => ({ label, detail, text, isBlock: true })
/** Goes on in the menu, which then looks for what is typed behind it. */
const mention = (label: string, detail: string, kind: string): MarkdownInsert => ({
  label,
  detail,
  text: `/${kind}:‸`,
  isBlock: false,
})

/** What a slash at the start of a word offers; `‸` is where the cursor goes. */
export const reportInserts: readonly MarkdownInsert[] = [
  mention('Insight', 'a live result, by its name', 'insight'),
  ...callouts.map(([kind, label, detail]) => block(label, `callout: ${detail}`, formatCallout(kind, '‸'))),
  block('Heading', 'a section', '## ‸'),
  block('List', 'points', '- ‸'),
  block('Tasks', 'points to tick', '- [ ] ‸'),
  block('Table', 'two columns', '| ‸ |   |\n| --- | --- |\n|   |   |'),
  block('Code', 'text as it is', '```\n‸\n```'),
  mention('Experiment', 'mention, by its name', 'experiment'),
  mention('Run', 'mention, one of the latest', 'run'),
  mention('Person', 'mention, by their name', 'person'),
  mention('Product', 'mention of a Context record, by its id', 'product'),
  mention('Use case', 'mention of a Context record, by its id', 'use_case'),
  mention('Persona', 'mention of a Context record, by its id', 'persona'),
  mention('Agent', 'mention of a Context record, by its id', 'agent'),
]
