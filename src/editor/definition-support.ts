import { autocompletion, type CompletionContext, insertCompletionText, startCompletion } from '@codemirror/autocomplete'
import { yaml } from '@codemirror/lang-yaml'
import { type Diagnostic, linter } from '@codemirror/lint'
import { type EditorView, hoverTooltip } from '@codemirror/view'

import { paths } from '#src/paths.ts'
import { addressBase } from '#src/url/organization-address.ts'
import { checkText, type Problem } from './check-text.ts'
import { pathAt } from './path-at.ts'
import { type DescribedField, describeField } from './definition-schema.ts'
import { suggestAllowed } from './suggest.ts'

/** YAML support for experiments: completion, help on hover and underlined errors; `known` are the server's errors. */
export const definitionSupport = (known: readonly Problem[]) => [
  yaml(),
  autocompletion({ override: [complete], icons: false }),
  hoverTooltip(explain),
  linter(({ state }) => diagnose(state.doc.toString(), known), { delay: 300 }),
]

function complete({ state, pos, explicit }: CompletionContext) {
  const found = suggestAllowed(state.doc.toString(), pos)
  if (!found || (!explicit && found.from === pos && !afterOpening(state.doc.lineAt(pos).text))) return null
  const options = found.suggestions.map(({ label, detail, info, insert, isKey }, index) => ({
    label,
    detail,
    info: info === '' ? undefined : info,
    boost: -index,
    apply: (view: EditorView, _: unknown, from: number, to: number) => {
      view.dispatch(insertCompletionText(view.state, insert, from, to))
      if (isKey) startCompletion(view)
    },
  }))
  return { from: found.from, options, validFor: /^[\w.-]*$/ }
}

/** With no letter typed, the list opens by itself only where something must follow. */
const afterOpening = (line: string) => /(:|-|\{|,)\s$/.test(line)

function explain(view: EditorView, position: number) {
  const { doc } = view.state
  const line = doc.lineAt(position)
  const colon = /^[\s-]*[\w.-]+\s*:/.exec(line.text)?.[0].length
  if (colon === undefined || position >= line.from + colon) return null
  const place = pathAt(doc.toString(), line.from + colon)
  const help = place && describeField(place.path)
  if (!help) return null
  const create = () => ({ dom: helpElement(help) })
  return { pos: line.from + line.text.search(/[\w]/), end: line.from + colon, above: true, create }
}

function helpElement({ name, type, description, path }: DescribedField) {
  const element = document.createElement('div')
  element.className = 'cm-field-help'
  const title = document.createElement('b')
  title.textContent = name
  const link = document.createElement('a')
  link.href = addressBase() + paths.definitionReference(path)
  link.target = '_blank'
  link.textContent = 'Definition reference'
  element.append(title, ` ${type}`, document.createElement('br'), description, document.createElement('br'), link)
  return element
}

function diagnose(text: string, known: readonly Problem[]): Diagnostic[] {
  const { problems, warnings } = checkText(text)
  const as =
    (severity: Diagnostic['severity']) =>
    ({ from, to, message }: Problem) => ({
      from: Math.min(from, text.length),
      to: Math.min(Math.max(to, from + 1), text.length),
      severity,
      message,
    })
  return [...[...problems, ...known].map(as('error')), ...warnings.map(as('warning'))]
}
