import { type CalloutKind, formatCallout } from '#contract/report-blocks/callouts.ts'
import { formatInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { MarkdownInsert } from '#src/editor/MarkdownEditor.tsx'

const callouts: readonly [kind: CalloutKind, label: string, detail: string][] = [
  ['note', 'Note', 'worth knowing'],
  ['tip', 'Tip', 'how to do it better'],
  ['important', 'Important', 'not to be missed'],
  ['warning', 'Warning', 'what may go wrong'],
  ['caution', 'Caution', 'what does go wrong'],
]

const block = (label: string, detail: string, text: string): MarkdownInsert => ({ label, detail, text, isBlock: true })
const mention = (label: string, detail: string, folder: string): MarkdownInsert => ({
  label,
  detail,
  text: `[@‸](assay://${folder}/)`,
  isBlock: false,
})

/** What a slash at the start of a word offers; `‸` is where the cursor goes. */
export const reportInserts: readonly MarkdownInsert[] = [
  block('Insight', 'a live result, by its id or slug', formatInsightBlock({ ref: '‸' })),
  ...callouts.map(([kind, label, detail]) => block(label, `callout: ${detail}`, formatCallout(kind, '‸'))),
  block('Heading', 'a section', '## ‸'),
  block('List', 'points', '- ‸'),
  block('Tasks', 'points to tick', '- [ ] ‸'),
  block('Table', 'two columns', '| ‸ |   |\n| --- | --- |\n|   |   |'),
  block('Code', 'text as it is', '```\n‸\n```'),
  mention('Experiment', 'mention, by its id', 'experiments'),
  mention('Run', 'mention, by its id', 'runs'),
  mention('Person', 'mention, by their id', 'people'),
  mention('Product', 'mention of a context record', 'context/product'),
  mention('Use case', 'mention of a context record', 'context/use_case'),
  mention('Persona', 'mention of a context record', 'context/persona'),
  mention('Agent', 'mention of a context record', 'context/agent'),
]
