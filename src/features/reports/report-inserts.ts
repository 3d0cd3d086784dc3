import { type CalloutKind, formatCallout } from '#contract/report-blocks/callouts.ts'
import type { MarkdownInsert } from '#src/editor/MarkdownEditor.tsx'

const callouts: readonly [kind: CalloutKind, label: string, detail: string][] = [
  ['note', 'Note', 'useful information'],
  ['tip', 'Tip', 'a better way'],
  ['important', 'Important', 'key information'],
  ['warning', 'Warning', 'a possible problem'],
  ['caution', 'Caution', 'a risk of damage'],
]

const block = (label: string, detail: string, text: string): MarkdownInsert => ({ label, detail, text, isBlock: true })
/** Keeps the menu open, which then searches for the following text. */
const mention = (label: string, detail: string, kind: string): MarkdownInsert => ({
  label,
  detail,
  text: `/${kind}:‸`,
  isBlock: false,
})

/** Entries of the slash menu; `‸` marks the cursor position. */
export const reportInserts: readonly MarkdownInsert[] = [
  mention('Chart', 'embed a view of an experiment’s results', 'chart'),
  mention('Insight', 'embed a live result', 'insight'),
  ...callouts.map(([kind, label, detail]) => block(label, `callout for ${detail}`, formatCallout(kind, '‸'))),
  block('Heading', 'section heading', '## ‸'),
  block('List', 'bullet list', '- ‸'),
  block('Tasks', 'checklist', '- [ ] ‸'),
  block('Table', 'two columns', '| ‸ |   |\n| --- | --- |\n|   |   |'),
  block('Details', 'collapsible section', '> [!DETAILS] ‸\n>\n> '),
  block('Formula', 'TeX on its own lines', '```math\n‸\n```'),
  { label: 'Inline formula', detail: 'TeX within a line', text: '$`‸`$', isBlock: false },
  block('Code', 'code block', '```\n‸\n```'),
  mention('Experiment', 'mention an experiment', 'experiment'),
  mention('Run', 'mention a recent run', 'run'),
  mention('Person', 'mention a person', 'person'),
  mention('Product', 'mention a context record', 'product'),
  mention('Use case', 'mention a context record', 'use_case'),
  mention('Persona', 'mention a context record', 'persona'),
  mention('Agent', 'mention a context record', 'agent'),
]
