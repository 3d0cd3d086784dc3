import { type CalloutKind, formatCallout } from '#contract/report-blocks/callouts.ts'
import type { HeldPlace } from '#src/editor/held-places.ts'
import type { MarkdownInsert } from '#src/editor/insert-item.ts'

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

/** What the picker searches. */
export const pickedKinds = ['chart', 'insight', 'run', 'experiment', 'person'] as const
export type PickedKind = (typeof pickedKinds)[number]

/** What entries of the menu open, instead of inserting a text. */
export type InsertDialogs = {
  pick: (kind: PickedKind, place: HeldPlace) => void
  addImage: (place: HeldPlace) => void
}

/** Entries of the slash menu; `‸` marks the cursor position. */
export function reportInserts({ pick, addImage }: InsertDialogs): readonly MarkdownInsert[] {
  const dialog = (label: string, detail: string, open: (place: HeldPlace) => void): MarkdownInsert => ({
    label,
    detail,
    text: '',
    isBlock: false,
    open,
  })
  const picked = (label: string, detail: string, kind: PickedKind) =>
    dialog(label, detail, (place) => pick(kind, place))
  return [
    picked('Chart', 'embed a view of an experiment’s results', 'chart'),
    picked('Insight', 'embed the result of a saved query', 'insight'),
    dialog('Image', 'PNG, JPEG, WebP or GIF', addImage),
    ...callouts.map(([kind, label, detail]) => block(label, `callout for ${detail}`, formatCallout(kind, '‸'))),
    block('Heading', 'section heading', '## ‸'),
    block('Contents', 'table of contents of the headings', '[TOC]\n\n‸'),
    block('List', 'bullet list', '- ‸'),
    block('Tasks', 'checklist', '- [ ] ‸'),
    block('Table', 'two columns', '| ‸ |   |\n| --- | --- |\n|   |   |'),
    block('Details', 'collapsible section', '> [!DETAILS] ‸\n>\n> '),
    block('Formula', 'TeX on its own lines', '```math\n‸\n```'),
    { label: 'Inline formula', detail: 'TeX within a line', text: '$`‸`$', isBlock: false },
    block('Code', 'code block', '```\n‸\n```'),
    picked('Experiment', 'mention an experiment', 'experiment'),
    picked('Run', 'mention a run', 'run'),
    picked('Person', 'mention a person', 'person'),
    mention('Product', 'mention a context record', 'product'),
    mention('Use case', 'mention a context record', 'use_case'),
    mention('Persona', 'mention a context record', 'persona'),
    mention('Agent', 'mention a context record', 'agent'),
  ]
}
